/** The port through which a room asks for one run of the git program; `store/git/` implements it. */

export interface GitRun {
  readonly args: readonly string[];
  /** Bytes for standard input; without it, standard input is empty. */
  readonly input?: Uint8Array;
  /** Additions to the scrubbed environment: no `GIT_*` variable of the caller ever reaches git. */
  readonly env?: Readonly<Record<string, string>>;
  /** Exit codes that are an answer, not a failure; 0 always is. */
  readonly accept?: readonly number[];
}

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** What a shell does before it becomes git: one process then does the work of two. */
export interface ShellPart {
  /** What it writes to descriptor 3 is its answer. */
  readonly script: string;
  /** `$0` of the script. */
  readonly word: string;
}

export interface ShellThenGit {
  /** Resolves when the script has come to its end, whatever became of it. */
  readonly answer: Promise<Buffer>;
  readonly result: Promise<GitResult>;
}

/** A running git program that answers requests one by one on its pipes. */
export interface GitDialogue {
  write(bytes: Uint8Array | string): void;
  /** Resolves with the next `count` NUL-terminated fields, without their NULs. */
  fields(count: number): Promise<readonly string[]>;
  /** Resolves with the next line, without its end. */
  line(): Promise<string>;
  close(): Promise<void>;
}

export interface Git {
  /** Runs git to its end; throws `git_failed` when the exit code is not accepted. */
  run(run: GitRun): Promise<GitResult>;
  /** The same in the process of a shell that does something before. */
  runAfter(part: ShellPart, run: GitRun): ShellThenGit;
  /** Starts git and keeps its pipes open. */
  open(run: GitRun): GitDialogue;
}
