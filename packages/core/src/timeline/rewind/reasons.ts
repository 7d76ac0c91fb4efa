/** Why a path was left alone, as a sentence for people. */
import type { FileReason } from '../../model/operation.js';

const SENTENCES: Readonly<Record<FileReason, string>> = {
  ignored: 'It is or was ignored, and what is ignored is left alone.',
  submodule: 'It is a submodule, which has a history of its own.',
  repository: 'It is a repository of its own.',
  special: 'It is neither a file nor a link nor a directory.',
  sparse: 'It lies outside the sparse checkout.',
  omitted: 'The target snapshot had to leave its content out.',
  unsaved: 'Its present content could not be saved first.',
  in_no_snapshot: 'It is in no snapshot but the safety snapshot; `--exact` removes it.',
  before_session: 'It was there, untracked, before the live session began; `--exact` removes it.',
  git_name: 'Its name is that of a git directory, here or on another file system.',
  occupied: 'Something that is kept stands in its place.',
  other_session: 'Another live session changed it since; `--force` takes it.',
  mounted: 'Something is mounted on it, or on a directory above it that may not be written.',
  changed: 'It was changed while the operation was at work.',
  no_directory: 'A file or a link stands where one of its directories should be.',
};

export function sentenceFor(reason: FileReason): string {
  return SENTENCES[reason];
}
