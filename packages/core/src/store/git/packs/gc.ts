/** Whether a `git gc` of the user's is at work in a repository. */
import { existsSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

// git gc writes its process and host into gc.pid and leaves the file when it is killed.
export function isGcRunning(commonDirectory: string): boolean {
  const file = path.join(commonDirectory, 'gc.pid');
  // Nearly always; an exception takes longer.
  if (!existsSync(file)) return false;
  let holder: string;
  try {
    holder = readFileSync(file, 'latin1');
  } catch {
    return false;
  }
  const [pid = '', host = ''] = holder.trim().split(' ');
  if (host !== os.hostname()) return true;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
