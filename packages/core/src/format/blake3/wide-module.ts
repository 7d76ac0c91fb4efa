/**
 * The compression of four blocks of BLAKE3 at once, as a WebAssembly module of two kB: one word of each lies in the four lanes
 * of a vector. Where vectors or WebAssembly are not to be had there is none.
 */

/** Pages of 64 KiB that its memory has. */
export const WIDE_PAGES = 4;

/** `tests/format/blake3/wide-module-source.ts` writes it instruction by instruction, and a test demands these bytes of it. */
export const WIDE_MODULE =
  'AGFzbQEAAAABDAFgCH9/f39/f39/AAMCAQAFAwEABAcRAgZtZW1vcnkCAAR3aWRlAAAKshcBrxcCAn8te0HnzKfQBv0RISpBhd2e23v9ESErQfLm' +
  'u+MD/REhLEG66r+qev0RIS1B/6S5iAX9ESEuQYzRldh5/REhL0Grs4/8Af0RITBBmZqD3wX9ESExA0AgACABQQBsav0AAAAhMiAAIAFBAWxq/QAA' +
  'ACEzIAAgAUECbGr9AAAAITQgACABQQNsav0AAAAhNSAyIDP9DQABAgMQERITBAUGBxQVFhchGiAyIDP9DQgJCgsYGRobDA0ODxwdHh8hGyA0IDX9' +
  'DQABAgMQERITBAUGBxQVFhchHCA0IDX9DQgJCgsYGRobDA0ODxwdHh8hHSAaIBz9DQABAgMEBQYHEBESExQVFhchCiAaIBz9DQgJCgsMDQ4PGBka' +
  'GxwdHh8hCyAbIB39DQABAgMEBQYHEBESExQVFhchDCAbIB39DQgJCgsMDQ4PGBkaGxwdHh8hDSAAIAFBAGxq/QAAECEyIAAgAUEBbGr9AAAQITMg' +
  'ACABQQJsav0AABAhNCAAIAFBA2xq/QAAECE1IDIgM/0NAAECAxAREhMEBQYHFBUWFyEaIDIgM/0NCAkKCxgZGhsMDQ4PHB0eHyEbIDQgNf0NAAEC' +
  'AxAREhMEBQYHFBUWFyEcIDQgNf0NCAkKCxgZGhsMDQ4PHB0eHyEdIBogHP0NAAECAwQFBgcQERITFBUWFyEOIBogHP0NCAkKCwwNDg8YGRobHB0e' +
  'HyEPIBsgHf0NAAECAwQFBgcQERITFBUWFyEQIBsgHf0NCAkKCwwNDg8YGRobHB0eHyERIAAgAUEAbGr9AAAgITIgACABQQFsav0AACAhMyAAIAFB' +
  'Amxq/QAAICE0IAAgAUEDbGr9AAAgITUgMiAz/Q0AAQIDEBESEwQFBgcUFRYXIRogMiAz/Q0ICQoLGBkaGwwNDg8cHR4fIRsgNCA1/Q0AAQIDEBES' +
  'EwQFBgcUFRYXIRwgNCA1/Q0ICQoLGBkaGwwNDg8cHR4fIR0gGiAc/Q0AAQIDBAUGBxAREhMUFRYXIRIgGiAc/Q0ICQoLDA0ODxgZGhscHR4fIRMg' +
  'GyAd/Q0AAQIDBAUGBxAREhMUFRYXIRQgGyAd/Q0ICQoLDA0ODxgZGhscHR4fIRUgACABQQBsav0AADAhMiAAIAFBAWxq/QAAMCEzIAAgAUECbGr9' +
  'AAAwITQgACABQQNsav0AADAhNSAyIDP9DQABAgMQERITBAUGBxQVFhchGiAyIDP9DQgJCgsYGRobDA0ODxwdHh8hGyA0IDX9DQABAgMQERITBAUG' +
  'BxQVFhchHCA0IDX9DQgJCgsYGRobDA0ODxwdHh8hHSAaIBz9DQABAgMEBQYHEBESExQVFhchFiAaIBz9DQgJCgsMDQ4PGBkaGxwdHh8hFyAbIB39' +
  'DQABAgMEBQYHEBESExQVFhchGCAbIB39DQgJCgsMDQ4PGBkaGxwdHh8hGSAqIRogKyEbICwhHCAtIR0gLiEeIC8hHyAwISAgMSEhQefMp9AG/REh' +
  'IkGF3Z7be/0RISNB8ua74wP9ESEkQbrqv6p6/REhJSAD/REgBP0R/QwAAAAAAQAAAAIAAAADAAAA/bUB/a4BISZBAP0RISdBwAD9ESEoQQAhCSAI' +
  'QQBGBEAgBSEJCyAIQQFqIAJGBEAgCSAGciEJCyAJ/REhKUEAIQkDQCAaIB79rgEgCv2uASIaICb9USI2IDb9DQIDAAEGBwQFCgsICQ4PDA0iJiAi' +
  '/a4BIiIgHv1RIjZBDP2tASA2QRT9qwH9UCEeIBogHv2uASAL/a4BIhogJv1RIjYgNv0NAQIDAAUGBwQJCgsIDQ4PDCImICL9rgEiIiAe/VEiNkEH' +
  '/a0BIDZBGf2rAf1QIR4gGyAf/a4BIAz9rgEiGyAn/VEiNiA2/Q0CAwABBgcEBQoLCAkODwwNIicgI/2uASIjIB/9USI2QQz9rQEgNkEU/asB/VAh' +
  'HyAbIB/9rgEgDf2uASIbICf9USI2IDb9DQECAwAFBgcECQoLCA0ODwwiJyAj/a4BIiMgH/1RIjZBB/2tASA2QRn9qwH9UCEfIBwgIP2uASAO/a4B' +
  'IhwgKP1RIjYgNv0NAgMAAQYHBAUKCwgJDg8MDSIoICT9rgEiJCAg/VEiNkEM/a0BIDZBFP2rAf1QISAgHCAg/a4BIA/9rgEiHCAo/VEiNiA2/Q0B' +
  'AgMABQYHBAkKCwgNDg8MIiggJP2uASIkICD9USI2QQf9rQEgNkEZ/asB/VAhICAdICH9rgEgEP2uASIdICn9USI2IDb9DQIDAAEGBwQFCgsICQ4P' +
  'DA0iKSAl/a4BIiUgIf1RIjZBDP2tASA2QRT9qwH9UCEhIB0gIf2uASAR/a4BIh0gKf1RIjYgNv0NAQIDAAUGBwQJCgsIDQ4PDCIpICX9rgEiJSAh' +
  '/VEiNkEH/a0BIDZBGf2rAf1QISEgGiAf/a4BIBL9rgEiGiAp/VEiNiA2/Q0CAwABBgcEBQoLCAkODwwNIikgJP2uASIkIB/9USI2QQz9rQEgNkEU' +
  '/asB/VAhHyAaIB/9rgEgE/2uASIaICn9USI2IDb9DQECAwAFBgcECQoLCA0ODwwiKSAk/a4BIiQgH/1RIjZBB/2tASA2QRn9qwH9UCEfIBsgIP2u' +
  'ASAU/a4BIhsgJv1RIjYgNv0NAgMAAQYHBAUKCwgJDg8MDSImICX9rgEiJSAg/VEiNkEM/a0BIDZBFP2rAf1QISAgGyAg/a4BIBX9rgEiGyAm/VEi' +
  'NiA2/Q0BAgMABQYHBAkKCwgNDg8MIiYgJf2uASIlICD9USI2QQf9rQEgNkEZ/asB/VAhICAcICH9rgEgFv2uASIcICf9USI2IDb9DQIDAAEGBwQF' +
  'CgsICQ4PDA0iJyAi/a4BIiIgIf1RIjZBDP2tASA2QRT9qwH9UCEhIBwgIf2uASAX/a4BIhwgJ/1RIjYgNv0NAQIDAAUGBwQJCgsIDQ4PDCInICL9' +
  'rgEiIiAh/VEiNkEH/a0BIDZBGf2rAf1QISEgHSAe/a4BIBj9rgEiHSAo/VEiNiA2/Q0CAwABBgcEBQoLCAkODwwNIiggI/2uASIjIB79USI2QQz9' +
  'rQEgNkEU/asB/VAhHiAdIB79rgEgGf2uASIdICj9USI2IDb9DQECAwAFBgcECQoLCA0ODwwiKCAj/a4BIiMgHv1RIjZBB/2tASA2QRn9qwH9UCEe' +
  'IAwgECANIBQgESAKIA4gFyALIBUgFiAPIBMgGCAZIBIhGSEYIRchFiEVIRQhEyESIREhECEPIQ4hDSEMIQshCiAJQQFqIglBB0kNAAsgGiAi/VEh' +
  'KiAbICP9USErIBwgJP1RISwgHSAl/VEhLSAeICb9USEuIB8gJ/1RIS8gICAo/VEhMCAhICn9USExIABBwABqIQAgCEEBaiIIIAJJDQALICogK/0N' +
  'AAECAxAREhMEBQYHFBUWFyEaICogK/0NCAkKCxgZGhsMDQ4PHB0eHyEbICwgLf0NAAECAxAREhMEBQYHFBUWFyEcICwgLf0NCAkKCxgZGhsMDQ4P' +
  'HB0eHyEdIBogHP0NAAECAwQFBgcQERITFBUWFyEKIBogHP0NCAkKCwwNDg8YGRobHB0eHyELIBsgHf0NAAECAwQFBgcQERITFBUWFyEMIBsgHf0N' +
  'CAkKCwwNDg8YGRobHB0eHyENIAcgCv0LAAAgByAL/QsAICAHIAz9CwBAIAcgDf0LAGAgLiAv/Q0AAQIDEBESEwQFBgcUFRYXIRogLiAv/Q0ICQoL' +
  'GBkaGwwNDg8cHR4fIRsgMCAx/Q0AAQIDEBESEwQFBgcUFRYXIRwgMCAx/Q0ICQoLGBkaGwwNDg8cHR4fIR0gGiAc/Q0AAQIDBAUGBxAREhMUFRYX' +
  'IQogGiAc/Q0ICQoLDA0ODxgZGhscHR4fIQsgGyAd/Q0AAQIDBAUGBxAREhMUFRYXIQwgGyAd/Q0ICQoLDA0ODxgZGhscHR4fIQ0gByAK/QsAECAH' +
  'IAv9CwAwIAcgDP0LAFAgByAN/QsAcAs=';

/** How four inputs of equal length are compressed. */
export interface Wide {
  readonly memory: { readonly buffer: ArrayBuffer };
  /**
   * Compresses `blocks` blocks from `input`, `input + stride`, … on and writes the four chaining values to `out`, of 32 bytes
   * each. The counter of each is `step` more than that of the one before; the flags are those of the first and the last block.
   */
  readonly wide: (
    ...places: readonly [
      input: number,
      stride: number,
      blocks: number,
      counter: number,
      step: number,
      start: number,
      end: number,
      out: number,
    ]
  ) => void;
}

// Node's types leave it out: it belongs to those of browsers.
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: object };
};

/** Returns the function, or undefined where this process may not compile any. */
export function makeWide(): Wide | undefined {
  try {
    const module = new WebAssembly.Module(Buffer.from(WIDE_MODULE, 'base64'));
    return new WebAssembly.Instance(module).exports as unknown as Wide;
  } catch {
    return undefined;
  }
}
