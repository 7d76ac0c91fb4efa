/** WebAssembly that is written as text, where this process may run it. */

// Node's types leave it out: it belongs to those of browsers.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
};

/** Returns what a module exports, from its bytes in base64, or undefined where this process may not compile it. */
export function instanceOf<T>(base64: string): T | undefined {
  try {
    const module = new WebAssembly.Module(Buffer.from(base64, 'base64'));
    return new WebAssembly.Instance(module).exports as unknown as T;
  } catch {
    return undefined;
  }
}
