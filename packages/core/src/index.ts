/** The only door of Savepoint's core: everything that a face or another program may use. */
export { ContextError, EXIT_CODES, asContextError } from './base/errors.js';
export type { ErrorCode, ErrorKind, ErrorObject } from './base/errors.js';
export { ERROR_TABLE } from './base/error-table.js';
export type { FolderEdit, ObjectId, TreeEntry } from './model/tree.js';
export type { CommitDraft, Store, StoredCommit } from './store/store.js';
