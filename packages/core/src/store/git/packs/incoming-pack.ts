/**
 * A pack in the making: `git fast-import` writes it in a folder of its own, whose name tells which process that is, and
 * it moves into the object store when it is whole. There it is kept until it is released.
 */
import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Random } from '../../../base/clock.js';
import { FastImport } from '../objects/fast-import.js';
import { findOwnPack, type OwnPack } from '../objects/own-pack.js';
import { makeDirectory, syncDirectory, syncFile, writeFailure } from '../system/durable.js';
import { writingInto } from '../system/object-directory.js';
import type { GitPlace } from '../system/process.js';
import { incomingName, sweepIncoming, sweepReports } from '../unfinished/incoming.js';
import { keepPack, type KeptPack } from '../unfinished/kept-pack.js';

export interface IncomingPlace {
  readonly random: Random;
  /** The repository's object directory. */
  readonly objects: string;
  /** Folder for unfinished packs, `<git common dir>/savepoint/incoming`. */
  readonly incoming: string;
  /** Called first; gives the place of the private git directory. */
  readonly place: () => GitPlace;
  /** Told the name of each pack that was added. */
  readonly packAdded: (pack: string) => void;
}

export class IncomingPack {
  readonly #place: IncomingPlace;
  /** Absolute path of its folder. */
  readonly folder: string;
  #import: Promise<FastImport> | undefined;
  /** True once git has nothing more to write into it. */
  #finished = false;
  readonly #kept: KeptPack[] = [];

  constructor(place: IncomingPlace) {
    this.#place = place;
    this.folder = path.join(place.incoming, incomingName(place.random));
  }

  /** Returns the git that writes it, and starts it the first time. @throws disk_full; store_unwritable; system_failed */
  importer(): Promise<FastImport> {
    this.#import ??= this.#start();
    return this.#import;
  }

  async #start(): Promise<FastImport> {
    const { incoming, objects } = this.#place;
    const place = this.#place.place();
    try {
      makeDirectory(incoming);
      sweepIncoming(incoming, path.join(objects, 'pack'));
      sweepReports(place.variables?.['GIT_DIR'] ?? '');
      mkdirSync(path.join(this.folder, 'pack'), { recursive: true });
    } catch (error) {
      throw writeFailure(incoming, error);
    }
    return new FastImport(writingInto(place, this.folder, objects));
  }

  /**
   * Moves what git has finished into the store: the pack before its index, so that no reader meets half of it; kept, before
   * both. Undefined where there is not exactly one pack. @throws disk_full; store_unwritable
   */
  install(): OwnPack | undefined {
    this.#finished = true;
    const { objects, packAdded } = this.#place;
    const from = path.join(this.folder, 'pack');
    const into = path.join(objects, 'pack');
    try {
      makeDirectory(into);
      const names = readdirSync(from).filter((name) => name.startsWith('pack-'));
      const inOrder = [...names].sort((a, b) => Number(a.endsWith('.idx')) - Number(b.endsWith('.idx')));
      for (const name of names) if (name.endsWith('.pack')) this.#kept.push(keepPack(this.folder, into, name));
      for (const name of inOrder) {
        syncFile(path.join(from, name));
        renameSync(path.join(from, name), path.join(into, name));
        if (name.endsWith('.pack')) packAdded(name);
      }
      syncDirectory(into);
      removeEmpty(from);
      return findOwnPack(into, names);
    } catch (error) {
      throw writeFailure(objects, error);
    }
  }

  /** Lets a gc have it, once the refs have moved or nobody is to see it. */
  release(): void {
    const kept = this.#kept.splice(0);
    for (const each of kept) each.release();
    if (kept.length > 0) removeEmpty(this.folder);
  }

  /** Ends git if it still writes, and removes the folder. Safe to call at any time. */
  async discard(): Promise<void> {
    if (this.#import !== undefined && !this.#finished) {
      this.#finished = true;
      await this.#import.then(
        (importer) => importer.kill(),
        () => undefined,
      );
    }
    try {
      rmSync(this.folder, { recursive: true, force: true });
    } catch {
      // It is swept away later; what was to be told is told already.
    }
  }
}

// Mostly nothing is left in it, and then this is quicker than asking for everything to be removed.
function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    rmSync(folder, { recursive: true, force: true });
  }
}
