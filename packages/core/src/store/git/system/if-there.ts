/** What may have gone since it was listed, or was never there. */

/** Returns what the work on a file or directory returns, or undefined where there is none. */
export function ifThere<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
