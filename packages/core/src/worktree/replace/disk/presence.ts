/** Tells by content what stands at a path. */
import { constants, type BigIntStats } from 'node:fs';
import type { Clock } from '../../../base/clock.js';
import type { BytePath } from '../../../base/path.js';
import type { ObjectFormat } from '../../../model/tree/anchor.js';
import { objectHash, objectId } from '../../../model/tree/object-id.js';
import type { FileState } from '../../../model/tree/tree-change.js';
import { isRacy, statKey } from '../../place/file-stat.js';
import { errorCode, statusIfThere, type Disk, type SystemPath } from './disk.js';
import type { Folder } from './folders.js';

/** Something that was found to be in a certain state. */
export interface Seen {
  /** While the status has this key, it is as it was. */
  readonly key: string;
  /** False where a write in the same tick of the clock may have left the status as it is. */
  readonly settled: boolean;
  readonly status: BigIntStats;
}

const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const PIECE_BYTES = 256 * 1024;
/** What stood there a moment ago stands there no more. */
export const GONE: readonly string[] = ['ELOOP', 'EMLINK', 'ENOENT', 'ENXIO'];

export function permissionsOf(status: BigIntStats): number {
  return Number(status.mode & 0o7777n);
}

export class Presence {
  readonly #disk: Disk;
  readonly #format: ObjectFormat;
  readonly #clock: Clock;
  readonly #piece = Buffer.allocUnsafe(PIECE_BYTES);

  constructor(disk: Disk, format: ObjectFormat, clock: Clock) {
    this.#disk = disk;
    this.#format = format;
    this.#clock = clock;
  }

  /** Returns what is seen if the name is a file, link or directory in that very state. */
  match(folder: Folder, name: BytePath, state: FileState): Seen | undefined {
    const place = folder.at(name);
    const status = statusIfThere(this.#disk, place);
    if (status === undefined || !this.#isAlike(status, state)) return undefined;
    const began = this.#clock.now();
    if (state.kind === 'link' && this.#linkId(place) !== state.blob) return undefined;
    if (state.kind === 'file' && this.#fileId(place, status) !== state.blob) return undefined;
    return { key: statKey(status), settled: !isRacy(status, began), status };
  }

  // What shows without reading.
  #isAlike(status: BigIntStats, state: FileState): boolean {
    if (state.kind === 'link') return status.isSymbolicLink();
    if (state.kind === 'absent') return false;
    if (permissionsOf(status) !== state.permissions) return false;
    return state.kind === 'directory' ? status.isDirectory() : status.isFile() && status.size === BigInt(state.size);
  }

  #linkId(place: SystemPath): string | undefined {
    try {
      return objectId(this.#format, 'blob', this.#disk.readLink(place));
    } catch (error) {
      if (['EINVAL', 'ENOENT'].includes(errorCode(error))) return undefined;
      throw error;
    }
  }

  #fileId(place: SystemPath, expected: BigIntStats): string | undefined {
    let descriptor: number;
    try {
      descriptor = this.#disk.open(place, READ_FLAGS);
    } catch (error) {
      if (GONE.includes(errorCode(error))) return undefined;
      throw error;
    }
    try {
      if (statKey(this.#disk.status(descriptor)) !== statKey(expected)) return undefined;
      const hash = objectHash(this.#format, 'blob', Number(expected.size));
      let missing = Number(expected.size);
      // That there is no more, the status says.
      for (let count = 1; count > 0 && missing > 0; missing -= count) {
        count = this.#disk.read(descriptor, this.#piece);
        hash.update(this.#piece.subarray(0, count));
      }
      const same = missing === 0 && statKey(this.#disk.status(descriptor)) === statKey(expected);
      return same ? hash.digest('hex') : undefined;
    } finally {
      this.#disk.close(descriptor);
    }
  }
}
