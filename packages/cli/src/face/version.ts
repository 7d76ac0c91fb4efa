/** The version of this program, put in by `build.mjs`. */
declare const SAVEPOINT_VERSION: string | undefined;

export const VERSION = typeof SAVEPOINT_VERSION === 'string' ? SAVEPOINT_VERSION : 'development';
