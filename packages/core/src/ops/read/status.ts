/** `status`: health, in the open. */
import { counted } from '../../base/counted.js';
import { ContextError, reasonOf } from '../../base/errors.js';
import { shortId } from '../../format/v1/body.js';
import type { HookFiles } from '../../model/hook.js';
import { openCatalogue } from '../../timeline/catalogue.js';
import { readFacts } from '../../timeline/facts.js';
import { readFailures, type CaptureFailures } from '../../timeline/failures.js';
import { resolveSelector } from '../../timeline/select/select.js';
import type { LoadedSnapshot } from '../../timeline/snapshot/load.js';
import type { View } from '../../timeline/view.js';
import { trustPolicy } from '../../trust/policy.js';
import { openReplacementError, type OpenReplacement } from '../../worktree/replace/replacement.js';
import type { Repository } from '../repository/repository.js';
import { viewOf } from '../repository/view-of.js';

/** What `status` asks about the user's git remotes. */
export interface GitRemotes {
  /** Names of remotes with `mirror = true` or a refspec that covers every ref. */
  mirrorRemotes(): Promise<readonly string[]>;
}

export interface StatusRequest {
  readonly repository: Repository;
  /** Without it nothing is said of the pre-push guard. */
  readonly hooks?: HookFiles;
  readonly remotes?: GitRemotes;
}
export interface StatusResult {
  readonly root: string;
  readonly repository: string;
  readonly worktree: string;
  readonly snapshots: number;
  readonly timelines: number;
  readonly head?: {
    readonly id: string;
    readonly shortId: string;
    readonly createdAt: string;
    readonly complete: boolean;
    readonly message: string;
  };
  readonly key: { readonly signer?: string; readonly problem?: string };
  readonly git: { readonly version: string; readonly objectFormat: string };
  /** Of the last capture that failed since the last good one. */
  readonly failures: {
    readonly count: number;
    readonly last?: { readonly at: string; readonly code: string; readonly message: string };
  };
  /** What needs the user's attention: an open restore, mirror remotes, no pre-push guard, an unsigned head, a revoked key, a failed capture. */
  readonly warnings: readonly { readonly code: string; readonly message: string; readonly hint?: string }[];
}

type Warning = StatusResult['warnings'][number];

/**
 * Reports health; whatever is wrong is in the result. It changes nothing.
 * @example
 * const { head, warnings } = await status({ repository, hooks, remotes });
 * console.log(head?.shortId, warnings.map(({ message }) => message));
 */
export async function status(request: StatusRequest): Promise<StatusResult> {
  const { repository } = request;
  const { local, self, worktree } = repository;
  const view = viewOf(repository);
  const { store } = view;
  const [catalogue, head, failures, signer, version] = await Promise.all([
    openCatalogue(store, local),
    findHead(view),
    readFailures(local),
    repository.keys.ownKeys(),
    repository.gitVersion(),
  ]);
  const [current] = signer;
  const problem = await keyProblem(repository, head);
  const trust = await trustWarnings(view, repository, signer);
  const rows = [...catalogue.timelines.values()];
  const unreadable = catalogue.unreadable.map(({ timeline, error }): Warning => ({
    code: error.code,
    message: `A snapshot of the timeline ${timeline} cannot be read: ${error.message}`,
    hint: 'Run `savepoint verify --all` to see what is wrong.',
  }));
  return {
    root: worktree.root,
    repository: repository.id,
    worktree: self.id,
    snapshots: rows.reduce((sum, all) => sum + all.length, 0),
    timelines: rows.length,
    ...(head instanceof ContextError || head === undefined ? {} : { head: describeHead(head) }),
    key: { ...(current !== undefined && { signer: current }), ...(problem !== undefined && { problem }) },
    git: { version, objectFormat: store.objectFormat },
    failures,
    warnings: [
      ...settingsWarnings(repository.settingsProblem),
      ...openWarnings(await repository.worktree.replacements.find()),
      ...failureWarnings(failures),
      ...headWarnings(head),
      ...unreadable,
      ...keyWarnings(problem),
      ...trust,
      ...(await mirrorWarnings(request.remotes)),
      ...(await hookWarnings(request.hooks)),
    ],
  };
}

// Where there is no key yet, asking for it would make one; only an unsigned snapshot is a reason to ask.
async function keyProblem(
  { keys }: Repository,
  head: LoadedSnapshot | ContextError | undefined,
): Promise<string | undefined> {
  const unsigned = head !== undefined && !(head instanceof ContextError) && head.body.signer === '';
  if (!unsigned && (await keys.ownKeys()).length === 0) return undefined;
  return (await keys.signingKey()) === undefined ? (keys.problem() ?? 'there is none') : undefined;
}

async function findHead(view: View): Promise<LoadedSnapshot | ContextError | undefined> {
  try {
    return (await resolveSelector(view, 'head')).snapshot;
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
    return error.code === 'no_snapshots' ? undefined : error;
  }
}

function describeHead({ id, body }: LoadedSnapshot): NonNullable<StatusResult['head']> {
  return { id, shortId: shortId(id), createdAt: body.createdAt, complete: body.complete, message: body.message };
}

function settingsWarnings(problem: ContextError | undefined): readonly Warning[] {
  if (problem === undefined) return [];
  const { code, hint = '' } = problem;
  return [{ code, message: `${reasonOf(problem)} Captures and rewinds fail until it is corrected.`, hint }];
}

function openWarnings(open: OpenReplacement | undefined): readonly Warning[] {
  // While its process lives, it is at work and nothing is wrong.
  if (open === undefined || open.holder !== undefined) return [];
  const { code, message, hint } = openReplacementError(open);
  return [{ code, message, ...(hint !== undefined && { hint }) }];
}

function failureWarnings({ count, last }: CaptureFailures): readonly Warning[] {
  if (last === undefined) return [];
  const times = count === 1 ? 'The last capture' : `The last ${String(count)} captures`;
  return [
    {
      code: 'capture_failed',
      message: `${times} failed, most recently at ${last.at}: ${last.message}`,
      hint: 'Run `savepoint capture` to try again and see the reason.',
    },
  ];
}

function headWarnings(head: LoadedSnapshot | ContextError | undefined): readonly Warning[] {
  if (head === undefined || head instanceof ContextError) return [];
  const name = shortId(head.id);
  const warnings: Warning[] = [];
  if (head.body.signer === '') {
    warnings.push({
      code: 'head_unsigned',
      message: `The newest snapshot ${name} is not signed.`,
      hint: 'Run `savepoint key show` to see what is wrong with the key.',
    });
  }
  if (!head.body.complete) {
    warnings.push({
      code: 'head_incomplete',
      message: `The newest snapshot ${name} leaves out ${counted(head.body.omitted.length, 'path')}.`,
      hint: `Run \`savepoint show ${name}\` for the list and the reasons.`,
    });
  }
  return warnings;
}

function keyWarnings(problem: string | undefined): readonly Warning[] {
  if (problem === undefined) return [];
  return [
    { code: 'key_unusable', message: `There is no usable signing key: ${problem}.`, hint: 'Run `savepoint key show`.' },
  ];
}

/** What speaks against the key that is signed with, or against knowing whom one trusts. */
async function trustWarnings(
  { store, repository }: View,
  { keys }: Repository,
  ownKeys: readonly string[],
): Promise<readonly Warning[]> {
  const [current = ''] = ownKeys;
  try {
    const [trusted, { facts }] = await Promise.all([keys.trustedKeys(), readFacts(store, repository)]);
    const { revocations } = trustPolicy({ ownKeys, trusted, facts: facts.map(({ body }) => body) });
    if (!revocations.has(current)) return [];
    return [
      {
        code: 'key_revoked',
        message: 'Your signing key is revoked in this repository: what it signs is not believed.',
        hint: 'Run `savepoint key rotate` to sign with another one.',
      },
    ];
  } catch (error) {
    if (!(error instanceof ContextError)) throw error;
    const { code, message, hint } = error;
    return [{ code, message, ...(hint !== undefined && { hint }) }];
  }
}

async function mirrorWarnings(remotes: GitRemotes | undefined): Promise<readonly Warning[]> {
  const mirrors = (await remotes?.mirrorRemotes()) ?? [];
  return mirrors.map((remote) => ({
    code: 'mirror_remote',
    message: `Pushing to the remote ${remote} sends every ref, snapshots with untracked files included.`,
    hint: `Run \`git config --unset remote.${remote}.mirror\`, or push single branches to it.`,
  }));
}

async function hookWarnings(hooks: HookFiles | undefined): Promise<readonly Warning[]> {
  const state = await hooks?.state();
  if (state === undefined || (state.installed && state.problem === undefined)) return [];
  return [
    {
      code: 'no_push_guard',
      message: state.problem ?? 'No pre-push hook keeps local snapshots from being pushed by accident.',
      hint: 'Run `savepoint init` to install it.',
    },
  ];
}
