/**
 * The key ring on disk, below `<configHome>/savepoint/keys/`:
 * `own.json` the present key, `former/<64 hex>.json` every key that was ever rotated from or to, `trusted.json` names,
 * `memory.key` the secret of what is remembered.
 *
 * Calls are synchronous inside: the files are tiny, and each trip to the thread pool would cost a capture more than the
 * read itself.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import { systemRandom, type Random } from '../base/clock.js';
import { ContextError, contextError } from '../base/errors.js';
import type { Signer } from '../model/snapshot.js';
import { isErrno, linkWhole, makeFolder, readWhole, replaceWhole, syncFolder } from './key-disk.js';
import type { KeyRing, SigningKey } from './key-ring.js';
import { makeMemorySecret, readMemorySecret } from './memory-secret.js';
import { signerProblem } from './public-key.js';
import { decodeSecret, encodeSecret, namedSigner, signingKeyOf } from './secret-key.js';
import { readTrusted, writeTrusted } from './trusted-names.js';

export interface KeyFilesOptions {
  /** Directory that holds `savepoint/`, such as `~/.config`; undefined or empty where there is none. */
  readonly configHome: string | undefined;
  /** For tests. */
  readonly random?: Random;
}

interface KeyFolder {
  readonly folder: string;
  readonly own: string;
  readonly former: string;
  readonly trusted: string;
  readonly memory: string;
  readonly random: Random;
}

type Loaded = { readonly key: SigningKey } | { readonly problem: string };

/** Opens the key ring. Nothing is read or written before the first question. */
export function openKeyFiles({ configHome, random = systemRandom }: KeyFilesOptions): KeyRing {
  const folder = path.join(configHome === undefined || configHome === '' ? '.' : configHome, 'savepoint', 'keys');
  const files: KeyFolder = {
    folder,
    own: path.join(folder, 'own.json'),
    former: path.join(folder, 'former'),
    trusted: path.join(folder, 'trusted.json'),
    memory: path.join(folder, 'memory.key'),
    random,
  };
  const homeless = configHome === undefined || !path.isAbsolute(configHome);
  const load = keyLoader(files);
  let problem: string | undefined;
  const signingKey = (): SigningKey | undefined => {
    const loaded: Loaded = homeless ? { problem: 'there is no home directory for the signing key' } : load();
    problem = 'problem' in loaded ? loaded.problem : undefined;
    return 'key' in loaded ? loaded.key : undefined;
  };
  const writing = <T>(work: () => T): T => {
    if (homeless) throw unwritable(files, 'there is no home directory');
    try {
      makeFolder(files.folder);
      return work();
    } catch (error) {
      throw error instanceof ContextError ? error : unwritable(files, reasonOf(error), error);
    }
  };
  return {
    location: files.own,
    signingKey: () => settle(signingKey),
    problem: () => problem,
    ownKeys: () => settle(() => (homeless ? [] : ownKeys(files))),
    trustedKeys: () => settle(() => (homeless ? new Map<Signer, string>() : readTrusted(files.trusted))),
    trust: (key, name) =>
      settle(() => {
        const reason = signerProblem(key);
        if (reason !== undefined) throw contextError('key_malformed', { key, reason });
        writing(() => {
          writeTrusted(files.trusted, new Map(readTrusted(files.trusted)).set(key, name), random);
        });
      }),
    memorySecret: ({ make = false } = {}) => settle(() => (homeless ? undefined : memorySecret(files, make))),
    rotate: async (announce) => {
      const rotation = await settle(() =>
        writing(() => ({ former: fs.existsSync(files.own) ? signingKey() : undefined, current: makeNext(files) })),
      );
      try {
        await announce?.(rotation);
        await settle(() => {
          writing(() => {
            takeOver(files, rotation.current.signer);
          });
        });
      } catch (error) {
        // It has signed nothing.
        fs.rmSync(formerPath(files, rotation.current.signer), { force: true });
        throw error;
      }
      return rotation;
    },
  };
}

/** Runs synchronous work as a promise, so that a throw becomes a rejection. */
function settle<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}

/** Returns a loader that keeps the key as long as the file says the same: a long-lived process must notice a rotation. */
function keyLoader(files: KeyFolder): () => Loaded {
  let known: { readonly content: string; readonly key: SigningKey } | undefined;
  return () => {
    try {
      const found = readWhole(files.own) ?? makeFirstKey(files);
      const exposed = exposure(found.mode);
      if (exposed !== undefined) return { problem: `${files.own} ${exposed}` };
      if (known?.content !== found.content) {
        const key = decodeSecret(found.content);
        if (key === undefined) return { problem: `${files.own} does not hold a signing key` };
        known = { content: found.content, key };
      }
      return { key: known.key };
    } catch (error) {
      return { problem: `${files.own} cannot be used (${reasonOf(error)})` };
    }
  };
}

// A key that others could read may be theirs already; to repair the mode would hide that.
function exposure(mode: number): string | undefined {
  if (path.sep === path.win32.sep || (mode & 0o077) === 0) return undefined;
  return `can be read or written by others (mode ${(mode & 0o777).toString(8).padStart(4, '0')}; run chmod 600, or make a new key)`;
}

function reasonOf(error: unknown): string {
  if (error instanceof ContextError && typeof error.data['reason'] === 'string') return error.data['reason'];
  return isErrno(error) ? (error.code ?? error.message) : String(error);
}

function unwritable(files: KeyFolder, reason: string, cause?: unknown): ContextError {
  return contextError('keys_unwritable', { directory: files.folder, reason }, cause);
}

/** Many processes may do this at once: each offers a whole file, the first link wins, and all read what won. */
function makeFirstKey(files: KeyFolder): { readonly content: string; readonly mode: number } {
  makeFolder(files.folder);
  linkWhole(files.own, encodeSecret(newSeed(files)), files.random);
  const found = readWhole(files.own);
  if (found === undefined)
    throw contextError('key_unusable', { path: files.own, reason: 'it vanished while it was made' });
  return found;
}

function newSeed({ random }: KeyFolder): string {
  return random.hex(64);
}

function formerPath(files: KeyFolder, signer: Signer): string {
  return path.join(files.former, `${signer.slice('ed25519:'.length)}.json`);
}

/**
 * The new key stands under `former/` before it becomes the present one, so that of two rotations at once neither
 * loses a key that may have signed something.
 */
function makeNext(files: KeyFolder): SigningKey {
  makeFolder(files.former);
  const seed = newSeed(files);
  const next = signingKeyOf(seed);
  linkWhole(formerPath(files, next.signer), encodeSecret(seed), files.random);
  return next;
}

/** Makes a key that stands under `former/` the present one. */
function takeOver(files: KeyFolder, signer: Signer): void {
  keepPresent(files);
  replaceWhole(files.own, fs.readFileSync(formerPath(files, signer), 'utf8'), files.random);
}

function keepPresent(files: KeyFolder): void {
  const present = presentKey(files);
  // What cannot be read is kept as well: somebody may still know how to repair it.
  const kept =
    present === undefined
      ? path.join(files.former, `unreadable-${files.random.hex(16)}`)
      : formerPath(files, present.signer);
  try {
    fs.linkSync(files.own, kept);
    syncFolder(files.former);
  } catch (error) {
    if (!isErrno(error) || (error.code !== 'EEXIST' && error.code !== 'ENOENT')) throw error;
  }
}

/** The key in the own file, also where its mode forbids to sign with it. */
function presentKey(files: KeyFolder): SigningKey | undefined {
  try {
    return decodeSecret(readWhole(files.own)?.content ?? '');
  } catch {
    return undefined;
  }
}

// Whoever can write this file can put a whole key into it: who is named needs no proof, only who signs does.
function presentSigner(files: KeyFolder): Signer | undefined {
  try {
    return namedSigner(readWhole(files.own)?.content ?? '');
  } catch {
    return undefined;
  }
}

// It makes no folder: where nobody signs, nothing is remembered.
function memorySecret(files: KeyFolder, make: boolean): Uint8Array | undefined {
  const isPrivate = (mode: number): boolean => exposure(mode) === undefined;
  const found = readMemorySecret(files.memory, isPrivate);
  if (found !== undefined || !make || !fs.existsSync(files.own)) return found;
  try {
    makeMemorySecret(files.memory, files.random);
  } catch {
    // Nothing can be written here; it is done without.
  }
  return readMemorySecret(files.memory, isPrivate);
}

/** Returns the names in a folder. A key's file is never written again: its time is that of the key. */
function newestFirst(folder: string): readonly string[] {
  const made = fs
    .readdirSync(folder)
    .map((name) => ({ name, time: fs.statSync(path.join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }));
  return made.sort((a, b) => b.time - a.time || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
}

// The names of the former keys' files say enough; their private halves stay unread.
function ownKeys(files: KeyFolder): readonly Signer[] {
  const present = presentSigner(files);
  const first = present === undefined ? [] : [present];
  let names: readonly string[] = [];
  try {
    names = newestFirst(files.former);
  } catch {
    // No rotation yet.
  }
  const former = names.flatMap((name) => {
    const signer = `ed25519:${/^([0-9a-f]{64})\.json$/.exec(name)?.[1] ?? ''}`;
    return signerProblem(signer) === undefined && signer !== first[0] ? [signer] : [];
  });
  return [...first, ...former];
}
