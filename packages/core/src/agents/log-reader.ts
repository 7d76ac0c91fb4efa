/** The reader's part of the Adapter port: what each line of a stored log means, in words of no agent. */
import type { JsonValue } from '../base/json.js';
import type { LogEvent } from '../model/context/log-event.js';
import type { LogObject } from '../model/context/log-value.js';

/** Reads a stored log from its first line to its last. */
export interface LogReader {
  /**
   * Returns what a line says. Every line that is a JSON object is given, in order, and none twice. What a reader does not
   * know says nothing; it never throws.
   */
  read(line: LogObject): readonly LogEvent[];
  /** Returns all that the reader must know to go on with the next line, as plain data of its own. */
  state(): JsonValue;
}

/** Makes readers of one agent's logs. */
export interface LogDialect {
  /** Changes when an older state, or what it led to, does not fit any more. */
  readonly version: string;
  /** Returns a reader that begins with the first line, or goes on from the state of a reader of the same version. */
  reader(state?: JsonValue): LogReader;
}
