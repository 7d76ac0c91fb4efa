/** Begins git's part of a command before its program is loaded; `build.mjs` makes `dist/foresight.cjs` of it. */
export { foreseeCapture, foreseeLook } from '@savepoint/core';
