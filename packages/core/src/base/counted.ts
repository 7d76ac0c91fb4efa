/** Numbers in sentences. */

/**
 * Returns a whole number with commas. `toLocaleString` would load the languages of the world, 10 ms of each start.
 * @example
 * console.log(grouped(1234567));
 */
export function grouped(number: number): string {
  const text = String(number);
  return Math.abs(number) < 1000 ? text : text.replace(/\B(?=(?:\d{3})+$)/g, ',');
}

/**
 * Returns a number with its noun: `1 file`, `2,000 files`.
 * @example
 * console.log(counted(1, 'path'), counted(2, 'boundary', 'boundaries'));
 */
export function counted(number: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(number)} ${number === 1 ? noun : plural}`;
}
