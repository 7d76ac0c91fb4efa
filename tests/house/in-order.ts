/** Code that the bans point to: none of them may hit it. */
const core = 'packages/core/src';

/** In order, each beside a break: what the rules must let through. */
export const IN_ORDER: Readonly<Record<string, string>> = {
  [`${core}/base/order-clock.ts`]: 'export const now = (): number => Date.now();\n',
  [`${core}/open/order-open.ts`]:
    "import { readFileSync } from 'node:fs';\nimport type { Store } from '../store/store.js';\nexport { readFileSync };\nexport type { Store };\n",
  [`${core}/store/git/order-lock.ts`]: 'export const holder = (): number => process.pid;\n',
  [`${core}/store/git/order-disk.ts`]:
    "export { spawn } from 'node:child_process';\nexport { openSync } from 'node:fs';\n",
  [`${core}/format/order-hash.ts`]:
    "export { createHash } from 'node:crypto';\nexport type { Anchor } from '../model/tree/anchor.js';\n",
  [`${core}/ops/order-ports.ts`]:
    "export type { Store } from '../store/store.js';\nexport type { KeyRing } from '../trust/key-ring.js';\n",
  'packages/cli/src/order-door.ts': "export { ContextError } from '@savepoint/core';\n",
  'packages/cli/src/terminal/order-terminal.ts':
    "export function say(): void {\n  console.log(process.argv.join(' '));\n}\n",
};
