/** The objects of a snapshot that is being stored: those of its own pack, and those that it takes from the store as it was. */
import { contextError } from '../../../base/errors.js';
import type { ObjectFormat } from '../../../model/tree/anchor.js';
import type { ObjectId } from '../../../model/tree/tree.js';
import type { LookUp } from '../objects/look-ups.js';
import { notIn, type OwnPack } from '../objects/own-pack.js';
import type { GitPlace } from '../system/process.js';

export interface NewObjectsPlace {
  readonly objectFormat: ObjectFormat;
  /** The repository's object directory. */
  readonly objects: string;
  /** For what is unfinished. */
  readonly folder: string;
  readonly place: () => GitPlace;
  /** The snapshot's own. */
  readonly pack: OwnPack | undefined;
  /** Told the name of each pack that was added. */
  readonly packAdded: (pack: string) => void;
}

export class NewObjects {
  readonly #place: NewObjectsPlace;
  readonly #names: readonly string[];

  /** `names` are those that git understands; the first is that of the snapshot's tree. */
  constructor(place: NewObjectsPlace, names: Iterable<string>) {
    this.#place = place;
    this.#names = [...new Set(names)];
  }

  /** Looks all of them up. Returns the tree. @throws object_missing */
  async find(check: LookUp): Promise<ObjectId> {
    return (await this.#findAll(check)).tree;
  }

  /**
   * Looks all of them up, and writes those once more that are taken from the store. A gc that read the refs before ours moved
   * removes at its end what nothing else reaches; what is in a pack that it has not listed stays. Returns the tree.
   * @throws object_missing
   */
  async secure(check: LookUp): Promise<ObjectId> {
    const { tree, ids } = await this.#findAll(check);
    const { objectFormat, objects, folder, place, pack, packAdded } = this.#place;
    const taken = notIn(objectFormat, pack, ids);
    if (taken.length === 0) return tree;
    try {
      const { copyObjects } = await import('./copied-pack.js');
      packAdded(await copyObjects({ place: place(), objects, folder }, taken));
    } catch {
      // It took one of them just now, or there is no space for them.
      throw contextError('object_missing', { object: taken[0] ?? '', owner: 'the new snapshot' });
    }
    return tree;
  }

  async #findAll(check: LookUp): Promise<{ readonly tree: ObjectId; readonly ids: readonly ObjectId[] }> {
    const found = await check.all(this.#names);
    const missing = this.#names.find((_, at) => found[at] === undefined);
    const [tree] = found;
    if (tree === undefined || missing !== undefined)
      throw contextError('object_missing', { object: missing ?? 'of the tree', owner: 'the new snapshot' });
    return { tree: tree.id, ids: found.flatMap((one) => one?.id ?? []) };
  }
}
