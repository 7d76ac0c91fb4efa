/** The settings files on disk: user-wide, of the project (committed), and local beside it; each one JSON object. */
import * as fs from 'node:fs';
import path from 'node:path';
import { strictText } from '../base/bytes.js';
import { ContextError, contextError } from '../base/errors.js';
import {
  SETTINGS,
  defaultSettings,
  type SettingDefinition,
  type SettingKey,
  type Settings,
} from '../model/settings.js';
import type { SettingsFiles, SettingsLayer } from '../ops/config.js';

/** Lowest first: a later layer wins, field by field. */
const LAYERS = ['user', 'project', 'local'] as const satisfies readonly SettingsLayer[];

// A settings file is written by hand; anything larger is a mistake or an attack on a reader.
const MAX_BYTES = 1024 * 1024;

export interface SettingsPlaces {
  /** The worktree's root; without it there are no project and local settings. */
  readonly root?: string;
  /** `$XDG_CONFIG_HOME`, or `.config` in the home folder. */
  readonly configHome: string;
}

/** A key that no version knows yet, or that a repository tried to choose; it warns and never fails. */
export interface PassedOver {
  readonly key: string;
  readonly path: string;
}

/**
 * Returns the settings files at their places; nothing is read or made before it is asked for.
 * @example
 * const files = openSettingsFiles({ configHome: '/nowhere' });
 * console.log(await files.load('user'));
 */
export function openSettingsFiles({ root, configHome }: SettingsPlaces): SettingsFiles {
  const paths: Partial<Record<SettingsLayer, string>> = { user: path.join(configHome, 'savepoint', 'settings.json') };
  if (root !== undefined) {
    paths.project = path.join(root, '.savepoint', 'settings.json');
    paths.local = path.join(root, '.savepoint', 'settings.local.json');
  }
  return {
    path: (layer) => paths[layer],
    load: async (layer) => {
      const file = paths[layer];
      return file === undefined ? undefined : loadObject(file);
    },
    save: async (layer, value) => {
      const file = paths[layer];
      if (file === undefined) {
        throw contextError('invariant_broken', { reason: `there is no file for the ${layer} settings` });
      }
      saveObject(file, value, layer === 'user');
    },
  };
}

/**
 * Returns the value of every setting after all layers, the unknown keys that were met, and what was not theirs to choose. Keys may be dotted
 * (`"capture.maxFileBytes"`) or nested (`{"capture": {"maxFileBytes": …}}`). A file that is not one JSON object, and a value of the wrong
 * type, are passed over and are problems: what they were to say is not known.
 */
export async function effectiveSettings(files: SettingsFiles): Promise<{
  readonly settings: Settings;
  readonly unknown: readonly PassedOver[];
  readonly refused: readonly PassedOver[];
  readonly problems: readonly ContextError[];
}> {
  const values: Record<string, boolean | number | string> = defaultSettings();
  const unknown: PassedOver[] = [];
  const refused: PassedOver[] = [];
  const problems: ContextError[] = [];
  for (const layer of LAYERS) {
    const object = await loadOrProblem(files, layer);
    if (object instanceof ContextError) problems.push(object);
    if (object === undefined || object instanceof ContextError) continue;
    const file = files.path(layer) ?? layer;
    for (const [key, value] of flatten(object, '')) {
      if (isSettingKey(key) && layer !== 'user' && definitionOf(key).own === true) refused.push({ key, path: file });
      else if (isSettingKey(key)) {
        if (isOfType(key, value)) values[key] = value;
        else problems.push(wrongType(key, file));
      } else unknown.push({ key, path: file });
    }
  }
  return { settings: values as Settings, unknown, refused, problems };
}

async function loadOrProblem(files: SettingsFiles, layer: SettingsLayer) {
  try {
    return await files.load(layer);
  } catch (error) {
    if (error instanceof ContextError) return error;
    throw error;
  }
}

// Opens once and asks the descriptor: a missing file costs one failed open, and a FIFO cannot make a capture wait.
function loadObject(file: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = readSmallFile(file);
  if (bytes === undefined) return undefined;
  const text = strictText(bytes);
  if (text === undefined) throw unreadable(file, 'it is not UTF-8 text');
  if (text.startsWith('\uFEFF')) throw unreadable(file, 'it starts with a byte order mark');
  const value = parseJson(file, text);
  if (!isObject(value)) throw unreadable(file, 'it is not one JSON object');
  return value;
}

function readSmallFile(file: string): Uint8Array | undefined {
  let descriptor: number;
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
  } catch (error) {
    if (isErrno(error, 'ENOENT') || isErrno(error, 'ENOTDIR')) return undefined;
    throw unreadable(file, reasonOf(error), error);
  }
  try {
    const { size } = requireFile(file, descriptor);
    if (size > MAX_BYTES) throw unreadable(file, 'it is larger than 1 MiB');
    return fs.readFileSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

function requireFile(file: string, descriptor: number): fs.Stats {
  const stats = fs.fstatSync(descriptor);
  if (!stats.isFile()) throw unreadable(file, 'it is not a file');
  return stats;
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw unreadable(file, reasonOf(error), error);
  }
}

// Written beside the target and renamed over it, so that a reader sees the old settings or the new. A user's own file
// may be a link (dotfiles); one that came with a repository is not followed out of it.
function saveObject(file: string, value: Readonly<Record<string, unknown>>, followLink: boolean): void {
  const directory = path.dirname(file);
  if (!followLink && fs.lstatSync(directory, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw unreadable(file, `${directory} is a symbolic link`);
  }
  try {
    fs.mkdirSync(directory, { recursive: true });
    const target = followLink && fs.existsSync(file) ? fs.realpathSync(file) : file;
    replaceFile(target, `${JSON.stringify(value, undefined, 2)}\n`);
  } catch (error) {
    throw contextError('settings_unwritable', { path: file, reason: reasonOf(error) }, error);
  }
}

function replaceFile(target: string, text: string): void {
  const temporary = fs.mkdtempSync(path.join(path.dirname(target), '.settings-'));
  const draft = path.join(temporary, 'settings.json');
  try {
    fs.writeFileSync(draft, text, { flag: 'wx', flush: true });
    const mode = fs.statSync(target, { throwIfNoEntry: false })?.mode;
    if (mode !== undefined) fs.chmodSync(draft, mode & 0o777);
    fs.renameSync(draft, target);
  } finally {
    fs.rmSync(temporary, { recursive: true, force: true });
  }
}

function* flatten(object: Readonly<Record<string, unknown>>, prefix: string): Iterable<[key: string, value: unknown]> {
  for (const [name, value] of Object.entries(object)) {
    const key = prefix + name;
    // Editors use `$schema`; it is not a setting.
    if (key.startsWith('$')) continue;
    if (isObject(value) && !isSettingKey(key)) yield* flatten(value, `${key}.`);
    else yield [key, value];
  }
}

function isOfType(key: SettingKey, value: unknown): value is boolean | number | string {
  const { type } = definitionOf(key);
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'text') return typeof value === 'string';
  if (type === 'file') return typeof value === 'string' && path.isAbsolute(value);
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function wrongType(key: SettingKey, file: string): ContextError {
  const wanted = {
    boolean: 'true or false',
    text: 'text',
    file: 'the absolute path of a file',
    bytes: 'a number of bytes',
    count: 'a whole number',
  }[definitionOf(key).type];
  return unreadable(file, `\`${key}\` has to be ${wanted}`);
}

function definitionOf(key: SettingKey): SettingDefinition {
  return SETTINGS[key];
}

function isSettingKey(key: string): key is SettingKey {
  return Object.hasOwn(SETTINGS, key);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isErrno(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function unreadable(file: string, reason: string, cause?: unknown): ContextError {
  return contextError('settings_unreadable', { path: file, reason }, cause);
}
