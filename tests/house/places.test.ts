/** The repository speaks of Savepoint alone: no path of a machine and no private registry is written into it. */
import { describe, expect, it } from 'vitest';
import { textFiles } from './text-files.js';

// Put together here, so that this file does not name what it forbids.
const slash = '/';
const PLACES: readonly RegExp[] = [
  new RegExp(`(?<![\\w.~*)}\\]-])${slash}work${slash}`),
  new RegExp(`${slash}tmp${slash}(?:bash_jobs|brief)`),
];
const PUBLIC_REGISTRY = 'https://registry.npmjs.org/';

describe('the repository', () => {
  it('names no place on the machine where it was written', () => {
    const files = textFiles();
    expect(files.length).toBeGreaterThan(40);
    const found = files.flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) => {
        const place = PLACES.map((pattern) => pattern.exec(line)?.[0]).find((match) => match !== undefined);
        return place === undefined ? [] : [`${path}:${String(index + 1)}: ${place}`];
      }),
    );
    expect(found).toEqual([]);
  });

  it('installs from the public registry only', () => {
    const lock = textFiles().find(({ path }) => path === 'package-lock.json');
    const hosts = [...(lock?.text ?? '').matchAll(/"resolved": "(https?:[^"]*)"/g)].map(([, url = '']) => url);
    expect(lock).toBeDefined();
    expect(hosts.filter((url) => !url.startsWith(PUBLIC_REGISTRY))).toEqual([]);
    const settings = textFiles().filter(({ path }) => /(?:^|\/)\.npmrc$/.test(path));
    expect(settings.filter(({ text }) => text.includes('registry'))).toEqual([]);
  });
});
