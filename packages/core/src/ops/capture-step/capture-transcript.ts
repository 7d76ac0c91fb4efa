/** Which transcript belongs into a capture: the one that was named, or the only one that is being written to. */
import type { AgentAdapter, TranscriptLocation } from '../../agents/adapter.js';
import { redactText } from '../../redact/redactor.js';
import type { SessionReference } from '../../model/snapshot.js';
import type { Repository } from '../repository/repository.js';
import { settingsOfCapture } from './capture-settings.js';

export interface FoundTranscript {
  readonly location?: TranscriptLocation;
  readonly session?: SessionReference;
  readonly guessed: boolean;
  /** Sentences for the user. */
  readonly notes: readonly string[];
}

/** A log that was written to longer ago is not taken for the session at work. */
const RECENT_MILLISECONDS = 10 * 60 * 1000;

export interface TranscriptWish {
  readonly repository: Pick<Repository, 'agents' | 'clock' | 'settings' | 'settingsProblem' | 'worktree' | 'openLog'>;
  /** A log file; `false`: none. Default: look for one. */
  readonly transcript?: string | false;
}

/** @throws file_not_found for a named log that cannot be read */
export async function findTranscript({ repository, transcript }: TranscriptWish): Promise<FoundTranscript> {
  if (transcript === false) return { guessed: false, notes: [] };
  if (transcript !== undefined) return named(repository, transcript);
  if (!settingsOfCapture(repository)['capture.transcript']) return { guessed: false, notes: [] };
  const since = repository.clock.now() - RECENT_MILLISECONDS;
  const recent = (
    await Promise.all(repository.agents.map((agent) => agent.transcriptsOf(repository.worktree.root, since)))
  ).flat();
  const [only] = recent;
  if (only === undefined) {
    return {
      guessed: false,
      notes: [
        'No transcript of this worktree was written to in the last ten minutes; name one with `--transcript FILE`.',
      ],
    };
  }
  if (recent.length > 1) {
    return {
      guessed: false,
      notes: [
        `${String(recent.length)} transcripts of this worktree were written to in the last ten minutes; name one with \`--transcript FILE\`.`,
      ],
    };
  }
  return {
    ...withSession(only, true),
    notes: [
      `The transcript of session ${printable(only.session)} is taken, which is a guess: it is the only one written to in the last ten minutes.`,
    ],
  };
}

/** The same within an operation, which has no option to name a log: which one is taken is no news there. */
export async function findTranscriptOfOperation(repository: TranscriptWish['repository']): Promise<FoundTranscript> {
  return { ...(await findTranscript({ repository })), notes: [] };
}

async function named(repository: TranscriptWish['repository'], file: string): Promise<FoundTranscript> {
  await repository.openLog(file);
  const found = await firstIdentified(repository.agents, file);
  if (found !== undefined) return { ...withSession(found, false), notes: [] };
  const name = file.slice(file.lastIndexOf('/') + 1).replace(/\.jsonl?$/, '');
  const location = {
    agent: 'unknown',
    session: name === '' ? 'unnamed' : name,
    file,
    modified: repository.clock.now(),
  };
  return {
    ...withSession(location, false),
    notes: ['The transcript is of no agent that Savepoint knows; it is kept as it is.'],
  };
}

async function firstIdentified(agents: readonly AgentAdapter[], file: string): Promise<TranscriptLocation | undefined> {
  for (const agent of agents) {
    const found = await agent.identify(file);
    if (found !== undefined) return found;
  }
  return undefined;
}

function withSession(location: TranscriptLocation, guessed: boolean): Omit<FoundTranscript, 'notes'> {
  const id = redactText(location.session).text;
  return { location, guessed, session: { agent: location.agent, id, ...(guessed ? { guessed } : {}) } };
}

function printable(session: string): string {
  return session.replace(/[^\x20-\x7e]/g, '?');
}
