/** Savepoint's own file: the bundle (docs/format/bundle-v1.md). */
import { shortId } from '../../../format/v1/body.js';
import { BUNDLE_FILE } from '../../../format/v1/bundle.js';
import type { FileSet } from '../../../model/tree/tree.js';
import { contextError } from '../../../base/errors.js';
import { openCatalogue } from '../../../timeline/catalogue.js';
import { writeBundle } from '../../../timeline/bundle/write.js';
import type { ReadSnapshot } from '../../../timeline/bundle/reading.js';
import type { SignerJudge } from '../../../timeline/judge.js';
import { planPublish } from '../../../timeline/publish/plan.js';
import type { PublishChoice, PublishPlan } from '../../../timeline/publish/publication.js';
import { addToShelf } from '../../../timeline/shelf/add.js';
import { publishedRef, shelvedPlaces, REMOTES } from '../../../timeline/shelf/shelf.js';
import { inspectBundle, takeBundle, type Taken } from '../../../timeline/shelf/take.js';
import { verifyBundle } from '../../../timeline/shelf/verify-file.js';
import type { Repository } from '../../repository/repository.js';
import type { ImportedSnapshot, ImportFormat, ImportTask, Publication, PublishFormat } from './format-port.js';

const LOCK_MILLISECONDS = 60_000;

export const publishBundle: PublishFormat = {
  name: 'bundle',
  ending: '.savepoint',
  prepare: async (repository: Repository, choice: PublishChoice): Promise<Publication> => {
    const plan = await planPublish(choice);
    const { snapshot, bytes, files, withheld, index, items } = plan;
    return {
      snapshot,
      bytes,
      files,
      withheld,
      pieces: () => writeBundle(repository.store, [index], items),
      record: () => record(repository, plan),
    };
  },
};

async function record(repository: Repository, plan: PublishPlan): Promise<{ ref: string; added: number }> {
  const { store, local } = repository;
  const { replica } = await repository.enrol();
  const ref = publishedRef(plan.snapshot.body.signer, replica);
  const added = await local.locked('published', LOCK_MILLISECONDS, async () => {
    const writer = store.writer();
    try {
      const files: FileSet[] = [];
      for (const { path, mode, content } of plan.blobs) {
        const id = content instanceof Uint8Array ? await writer.blob(content) : content.blob;
        files.push({ path: Buffer.from(path, 'utf8').toString('latin1'), mode, id });
      }
      const additions = [{ id: plan.snapshot.id, files, withheld: plan.gaps }];
      const message = `savepoint publication of ${shortId(plan.snapshot.id)}\n`;
      return (await addToShelf({ store, writer, ref, message, additions }))[0] ?? 0;
    } finally {
      await writer.discard();
    }
  });
  return { ref: `refs/savepoint/v1/${ref}`, added };
}

export const importBundleFormat: ImportFormat = {
  name: 'bundle',
  recognises: (head) => Buffer.from(head).toString('latin1', 0, BUNDLE_FILE.length + 1) === `${BUNDLE_FILE}\0`,
  verify: (chunks, judge) => verifyBundle(chunks, (snapshot) => judge.verdict(snapshot)),
  inspect: async (chunks, task) => {
    await inspectBundle(chunks, async (read) => {
      demandTrust(task, read);
    });
  },
  take: async (chunks, task) => {
    const { repository, judge } = task;
    const { store, local } = repository;
    return local.locked('imports', LOCK_MILLISECONDS, async () => {
      const own = await ownIds(repository);
      const replica = async (): Promise<string> => (await repository.enrol()).replica;
      const taken = await takeBundle({ store, replica }, chunks, async (read) => {
        demandTrust(task, read);
        return !own.has(read.id);
      });
      const here = new Set([...own, ...(await shelvedPlaces(store, REMOTES)).map(({ id }) => id)]);
      return taken.map((one) => described(one, { judge, own, here }));
    });
  },
};

function demandTrust({ judge, requireTrusted }: ImportTask, read: ReadSnapshot): void {
  if (!requireTrusted || judge.verdict(read) === 'valid') return;
  throw contextError('signer_unknown', { snapshot: shortId(read.id), signer: read.body.signer });
}

async function ownIds({ store, local }: Repository): Promise<ReadonlySet<string>> {
  const { timelines } = await openCatalogue(store, local);
  return new Set([...timelines.values()].flat().map(({ id }) => id));
}

interface Known {
  readonly judge: SignerJudge;
  readonly own: ReadonlySet<string>;
  readonly here: ReadonlySet<string>;
}

function described({ snapshot, withheld, added }: Taken, { judge, own, here }: Known): ImportedSnapshot {
  const { id, body, index } = snapshot;
  const slices = body.slices.map(({ name }) => name).filter((name) => !index.slices.includes(name));
  return {
    id,
    signer: body.signer,
    verdict: judge.verdict(snapshot),
    createdAt: body.createdAt,
    message: body.message,
    withheld: [...slices, ...withheld.map(({ path }) => path)],
    parents: body.parents.map((parent) => ({ id: parent, state: here.has(parent) ? 'here' : 'withheld' })),
    added,
    own: own.has(id),
  };
}
