/** Tampers with a snapshot as somebody with access to the repository could: through git's plumbing, where nothing objects. */
import * as fs from 'node:fs';
import path from 'node:path';
import { runGit, type Scratch } from './scratch.js';

/** One byte of the body, in a copy of the repository, whose head then names the changed snapshot. */
export interface Tampering {
  readonly directory: string;
  readonly before: string;
  readonly after: string;
}

const BEFORE = '"message":"Tidied up"';
const AFTER = '"message":"Tidied us"';

/** Copies the repository and changes the head snapshot there; `head` is its commit. */
export function tamper(scratch: Scratch, head: string): Tampering {
  const directory = path.join(scratch.folder, 'tampered');
  fs.cpSync(scratch.repository, directory, { recursive: true });
  const place = { directory, environment: scratch.environment };
  const git = (args: readonly string[], input?: Uint8Array): Buffer => runGit(place, args, input);
  const text = (args: readonly string[], input?: Uint8Array): string => git(args, input).toString('utf8').trim();
  const body = git(['cat-file', 'blob', `${head}:snapshot.json`])
    .toString('utf8')
    .replace(BEFORE, AFTER);
  const blob = text(['hash-object', '-w', '--stdin'], Buffer.from(body));
  const entries = git(['ls-tree', '-z', head]).toString('utf8');
  const tree = text(
    ['mktree', '-z'],
    Buffer.from(entries.replace(/[0-9a-f]+\tsnapshot\.json/, `${blob}\tsnapshot.json`)),
  );
  const commit = git(['cat-file', 'commit', head])
    .toString('utf8')
    .replace(/^tree .*/, `tree ${tree}`);
  const changed = text(['hash-object', '-t', 'commit', '-w', '--stdin'], Buffer.from(commit));
  const ref = text(['for-each-ref', `--points-at=${head}`, '--format=%(refname)', 'refs/savepoint/v1/timelines']);
  git(['update-ref', ref, changed, head]);
  return { directory, before: BEFORE, after: AFTER };
}
