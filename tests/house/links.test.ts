/** Links between documents lead somewhere. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './copied-tree.js';
import { textFiles } from './text-files.js';

describe('a document', () => {
  it('links only to files that are there', () => {
    const documents = textFiles().filter((file) => file.path.endsWith('.md') && !file.path.includes('/fixtures/'));
    expect(documents.length).toBeGreaterThan(10);
    const broken = documents.flatMap((file) =>
      [...file.text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)(?:#[^)]*)?\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !existsSync(path.join(ROOT, path.dirname(file.path), target)))
        .map((target) => `${file.path}: ${target}`),
    );
    expect(broken).toEqual([]);
  });
});
