/** The home folder that the system knows of whoever runs this. */
import os from 'node:os';

/** Returns the folder; empty where the system has no name for this user, as in many containers. */
export function systemHome(): string {
  try {
    return os.homedir();
  } catch {
    return '';
  }
}
