/** Fragments have the form that changelog/README.md asks for, so that a release can join them unread. */
import { describe, expect, it } from 'vitest';
import { textFiles } from './text-files.js';

const FORM = /^(?:Bugfix|Change|Enhancement|Security): [A-Z][^\n]{9,89}[^.\n]\n\n[^\n#]/;

describe('a changelog fragment', () => {
  const fragments = textFiles().filter(({ path }) => /^changelog\/[^/]+\/./.test(path));

  it('has a heading of one sentence, an empty line and a text', () => {
    expect(fragments.length).toBeGreaterThan(0);
    expect(fragments.filter(({ text }) => !FORM.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('is a Markdown file', () => {
    expect(fragments.filter(({ path }) => !path.endsWith('.md')).map(({ path }) => path)).toEqual([]);
  });
});
