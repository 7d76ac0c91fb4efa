/** Chooses what of a snapshot leaves, and searches all of it. */
import { contextError } from '../../base/errors.js';
import { shortId } from '../../format/v1/body.js';
import { sliceNameHazard } from '../../format/v1/bundle.js';
import { CONTENT_FOLDER, INDEX_FOLDER, WORKTREE_FOLDER } from '../../format/v1/layout.js';
import { ustarHeader } from '../../format/ustar.js';
import { BUNDLE_LIMITS, type BundledSnapshot } from '../../model/bundle.js';
import type { Slice } from '../../model/snapshot.js';
import type { Store } from '../../store/store.js';
import { orderFolder, type Leaf } from '../bundle/manifests.js';
import { bundleBytes, type BundleItem } from '../bundle/write.js';
import { bundlePath } from '../../format/v1/bundle.js';
import { signatureState } from '../judge.js';
import type { LoadedSnapshot } from '../snapshot/load.js';
import { readFilesystem, readStaged } from '../snapshot/slices.js';
import { contentPath } from '../save/body.js';
import { secretInBody } from './body-words.js';
import { SEARCH, secretIn, sliceGate, type Search } from './gate.js';
import { headItems } from './head-items.js';
import { readLeaves, sliceFiles, sliceMismatch } from './leaves.js';
import type { Leaving, LeavingBlob, PlanPart, PublishChoice, PublishPlan, Withheld } from './publication.js';
import { planFiles } from './worktree-files.js';

/**
 * Makes the plan; reads everything that would leave.
 * @throws bundle_impossible; secret_found; gate_failed; signature_broken; slice_not_found; path_not_found; path_left_out;
 * path_refused; digest_mismatch; object_missing
 */
export async function planPublish(choice: PublishChoice): Promise<PublishPlan> {
  const { store, snapshot, search = SEARCH } = choice;
  demandSigned(snapshot);
  const found = secretInBody(snapshot.body, search);
  if (found !== undefined) {
    throw contextError('secret_found', { snapshot: shortId(snapshot.id), secret: found.kind, place: found.place });
  }
  const chosen = chooseSlices(choice);
  const parts = await Promise.all([head(store, snapshot), planSlices(choice, chosen), planFiles(choice)]);
  const [start, slices, proven] = parts;
  const index: BundledSnapshot = {
    id: snapshot.id,
    slices: slices.names,
    withheld: slices.gaps.map(({ path }) => path),
    files: proven.names,
  };
  const items = [...start.items, ...slices.items, ...proven.items];
  demandPlace(snapshot, items);
  return {
    snapshot,
    index,
    items,
    blobs: [...start.blobs, ...slices.blobs, ...proven.blobs],
    files: [...start.files, ...slices.files, ...proven.files],
    withheld: [...notChosen(snapshot, slices.names, proven.names), ...slices.withheld, ...proven.withheld],
    gaps: slices.gaps,
    bytes: bundleBytes([index], items),
  };
}

function demandSigned(snapshot: LoadedSnapshot): void {
  const state = signatureState(snapshot);
  const short = shortId(snapshot.id);
  if (state === 'bad_signature') throw contextError('signature_broken', { snapshot: short });
  if (state === 'unsigned') {
    const reason = 'it is not signed, so nobody could tell where it comes from';
    throw contextError('bundle_impossible', { snapshot: short, reason });
  }
}

function chooseSlices({ snapshot, slices }: PublishChoice): readonly Slice[] {
  const { body, id } = snapshot;
  const may = body.slices.filter(({ name, algorithm }) => algorithm === 'blake3' && name !== INDEX_FOLDER);
  if (slices === undefined) return may;
  for (const name of slices) {
    if (name === WORKTREE_FOLDER || name === INDEX_FOLDER) {
      const reason = `the slice ${name} never leaves as a whole; name files of the worktree with \`--file\``;
      throw contextError('bundle_impossible', { snapshot: shortId(id), reason });
    }
    if (!may.some((one) => one.name === name)) {
      const available = may.map((one) => one.name).join(', ') || 'none';
      throw contextError('slice_not_found', { snapshot: shortId(id), slice: name, available });
    }
  }
  return may.filter(({ name }) => slices.includes(name));
}

async function head(store: Store, snapshot: LoadedSnapshot): Promise<PlanPart> {
  const items = await headItems(store, snapshot);
  const prefix = bundlePath(snapshot.id, '').length;
  const blobs = items.map(({ path, content }): LeavingBlob => ({ path: path.slice(prefix), mode: '100644', content }));
  const files = items.map(({ path, bytes }): Leaving => ({ path: path.slice(prefix), slice: '', bytes }));
  return { names: [], items, blobs, files, withheld: [] };
}

async function planSlices(
  choice: PublishChoice,
  chosen: readonly Slice[],
): Promise<PlanPart & Pick<PublishPlan, 'gaps'>> {
  const parts: PlannedSlice[] = [];
  const kept = await worktreeContent(choice);
  for (const slice of chosen) parts.push(await planSlice(choice, slice, kept));
  const present = parts.filter(({ items }) => items.length > 0);
  return {
    names: present.map(({ name }) => name),
    items: present.flatMap(({ items }) => items),
    blobs: present.flatMap(({ leaves }) =>
      leaves.flatMap(({ path, blob }): readonly LeavingBlob[] =>
        blob === undefined ? [] : [{ path, mode: '100644', content: { blob } }],
      ),
    ),
    files: present.flatMap(({ name, leaves }) =>
      leaves.filter(({ blob }) => blob !== undefined).map(({ path, bytes }) => ({ path, slice: name, bytes })),
    ),
    withheld: parts.flatMap(({ withheld }) => withheld),
    gaps: present.flatMap(({ leaves }) =>
      leaves.filter(({ blob }) => blob === undefined).map(({ path, digest, bytes }) => ({ path, digest, bytes })),
    ),
  };
}

interface PlannedSlice {
  readonly name: string;
  /** Empty where the whole slice stays here. */
  readonly items: readonly BundleItem[];
  readonly leaves: readonly Leaf[];
  readonly withheld: readonly Withheld[];
}

async function planSlice(
  { store, snapshot, search = SEARCH }: PublishChoice,
  slice: Slice,
  kept: ReadonlySet<string>,
): Promise<PlannedSlice> {
  const { name } = slice;
  const files = await sliceFiles(store, snapshot, name);
  const gate = sliceGate(search);
  const all = await readLeaves(store, files, gate);
  const secrets = new Map(gate.end().map(({ path, kind }) => [path, kind]));
  for (const { path } of all) demandName(snapshot, path);
  const inName = secretInNames(all, search);
  const isFile = snapshot.entries.has(`${name}.json`);
  const alone = isFile ? secrets.get(`${name}.json`) : inName;
  if (alone !== undefined) {
    return {
      name,
      items: [],
      leaves: [],
      withheld: [{ path: name, reason: 'secret', kind: alone, bytes: slice.bytes }],
    };
  }
  const leaves = all.map(({ blob, ...leaf }): Leaf =>
    secrets.has(leaf.path) || kept.has(leaf.path) ? leaf : { ...leaf, blob },
  );
  const withheld = leaves
    .filter(({ blob }) => blob === undefined)
    .map(({ path, bytes }): Withheld => {
      const kind = secrets.get(path);
      return kind === undefined ? { path, bytes, reason: 'worktree_content' } : { path, bytes, reason: 'secret', kind };
    });
  const items = isFile ? oneFile(snapshot, slice, leaves) : wholeFolder(snapshot, slice, leaves);
  return { name, items, leaves, withheld };
}

function oneFile(snapshot: LoadedSnapshot, slice: Slice, [leaf]: readonly Leaf[]): readonly BundleItem[] {
  if (leaf?.digest !== slice.digest || leaf.blob === undefined) throw sliceMismatch(snapshot, slice.name);
  return [{ path: bundlePath(snapshot.id, leaf.path), bytes: leaf.bytes, content: { blob: leaf.blob } }];
}

function wholeFolder(snapshot: LoadedSnapshot, slice: Slice, leaves: readonly Leaf[]): readonly BundleItem[] {
  const { digest, items } = orderFolder(snapshot.id, slice.name, leaves);
  if (digest !== slice.digest) throw sliceMismatch(snapshot, slice.name);
  return items;
}

/** Bytes of the worktree that lie in `content/`: names that git refuses, and what a merge left in conflict. */
async function worktreeContent({ store, snapshot }: PublishChoice): Promise<ReadonlySet<string>> {
  const [filesystem, staged] = await Promise.all([readFilesystem(store, snapshot), readStaged(store, snapshot)]);
  const blobs = [...(filesystem?.diverted ?? []), ...(staged?.unmerged ?? [])].map(({ blob }) => blob);
  return new Set(blobs.map((blob) => `${CONTENT_FOLDER}/${contentPath(blob)}`));
}

function secretInNames(leaves: readonly Leaf[], search: Search): string | undefined {
  for (const name of new Set(leaves.flatMap(({ path }) => path.split('/')))) {
    const kind = secretIn(name, search);
    if (kind !== undefined) return kind;
  }
  return undefined;
}

function demandName({ id }: LoadedSnapshot, path: string): void {
  const reason = path
    .split('/')
    .map(sliceNameHazard)
    .find((one) => one !== undefined);
  if (reason === undefined) return;
  throw contextError('bundle_impossible', {
    snapshot: shortId(id),
    reason: `a name in ${JSON.stringify(path)}: ${reason}`,
  });
}

function demandPlace({ id }: LoadedSnapshot, items: readonly BundleItem[]): void {
  const refuse = (reason: string): Error => contextError('bundle_impossible', { snapshot: shortId(id), reason });
  const { files, bytes, fileBytes } = BUNDLE_LIMITS;
  if (items.length > files) throw refuse(`a bundle has at most ${String(files)} files`);
  if (items.reduce((sum, item) => sum + item.bytes, 0) > bytes)
    throw refuse(`a bundle has at most ${String(bytes)} bytes`);
  for (const item of items) {
    if (item.bytes > fileBytes) throw refuse(`a file in a bundle has at most ${String(fileBytes)} bytes`);
    if (ustarHeader(item) === undefined) throw refuse(`the path ${JSON.stringify(item.path)} is too long for a bundle`);
  }
}

function notChosen(snapshot: LoadedSnapshot, slices: readonly string[], files: readonly string[]): readonly Withheld[] {
  return snapshot.body.slices
    .filter(({ name }) => !slices.includes(name) && !(name === WORKTREE_FOLDER && files.length > 0))
    .map(({ name, bytes }): Withheld => {
      const reason = name === WORKTREE_FOLDER || name === INDEX_FOLDER ? 'by_name_only' : 'not_chosen';
      return { path: name, bytes, reason };
    });
}
