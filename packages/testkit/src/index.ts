/** The door of the testkit: fixtures, oracles and a fake agent for Savepoint's own tests. */
export * from './agents.js';
export * from './blake3.js';
export * from './environment.js';
export * from './fsck.js';
export * from './git.js';
export * from './manifest.js';
export * from './observation.js';
export * from './program.js';
export * from './repositories/indexed.js';
export * from './repositories/kinds.js';
export * from './repositories/nested.js';
export * from './repositories/shaped.js';
export * from './repositories/stopped.js';
export * from './repository.js';
export * from './stored.js';
export * from './temporary.js';
export * from './torture.js';
