/** The git objects of a timeline with two snapshots, in both object formats. */
import { text, utf8 } from '../../src/base/bytes.js';
import type { ObjectFormat } from '../../src/model/tree/anchor.js';
import { objectId } from '../../src/model/tree/object-id.js';
import { BODY_FILE, commitMessage, SIGNATURE_FILE } from '../../src/format/v1/layout.js';
import { encodeCommit, encodeTree } from '../../src/store/git-objects.js';

interface SealedText {
  readonly bytes: string;
  readonly signatureFile: string;
}

/** Returns blobs, trees and commits of snapshots whose tree holds nothing but body and signature. */
export function makeCommitVectors(snapshots: readonly SealedText[]): readonly object[] {
  return (['sha1', 'sha256'] as const).flatMap((objectFormat) => chain(objectFormat, snapshots));
}

function chain(objectFormat: ObjectFormat, snapshots: readonly SealedText[]): readonly object[] {
  let parents: readonly string[] = [];
  return snapshots.map(({ bytes, signatureFile }, index) => {
    const files = [
      { name: BODY_FILE, blob: objectId(objectFormat, 'blob', utf8(bytes)) },
      { name: SIGNATURE_FILE, blob: objectId(objectFormat, 'blob', utf8(signatureFile)) },
    ];
    const entries = files.map(({ name, blob }) => ({ name, id: blob, mode: '100644' as const }));
    const tree = objectId(objectFormat, 'tree', encodeTree(entries));
    const commit = encodeCommit({ tree, parents, message: commitMessage(index + 1) });
    const id = objectId(objectFormat, 'commit', commit);
    const vector = {
      objectFormat,
      sequence: index + 1,
      contents: [bytes, signatureFile],
      files,
      tree,
      parents,
      commit: text(commit),
      id,
    };
    parents = [id];
    return vector;
  });
}
