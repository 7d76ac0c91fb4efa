/** Every command that a document shows is one that docs/cli.md, which is generated from the program, knows. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './copied-tree.js';
import { textFiles } from './text-files.js';

const PAGES = /^(?:[A-Z]+\.md|docs\/(?:[a-z-]+\.md|decisions\/.*)|changelog\/unreleased\/.*)$/;
const GENERATED = /^docs\/(?:cli|errors)\.md$/;
const SHOWN = /`savepoint ([^`]+)`|(?:^|&& |npx )savepoint ((?!`)[^\n#]+)/gm;
// A word in capitals stands for one that the reader chooses.
const ANY_VERB = /^(?:(?:snapshot|checkpoint) )?[A-Z]+\b/;

const reference = readFileSync(path.join(ROOT, 'docs/cli.md'), 'utf8');
const headings = [...reference.matchAll(/^## savepoint (.+)$/gm)].map(([, command = '']) => command);

interface Shown {
  readonly place: string;
  readonly command: string;
}

function shownIn({ path: place, text }: { readonly path: string; readonly text: string }): readonly Shown[] {
  return [...text.matchAll(SHOWN)]
    .map(([, inline, line]) => ({ place, command: (inline ?? line ?? '').replace(/\s+/g, ' ').trim() }))
    .filter(({ command }) => !ANY_VERB.test(command));
}

// Prose such as "savepoint is" is not matched: only code, and lines that begin with the program's name.
function problem({ place, command }: Shown): string | undefined {
  const known = headings.some((heading) => command === heading || command.startsWith(`${heading} `));
  if (!known && !command.startsWith('-')) return `${place}: docs/cli.md has no "savepoint ${command}"`;
  const options = command.match(/(?<= |^)--?[A-Za-z][\w-]*/g) ?? [];
  const unknown = options.find((option) => !new RegExp(`\`[^\`]*(?<![\\w-])${option}(?![\\w-])`).test(reference));
  return unknown === undefined ? undefined : `${place}: docs/cli.md has no option ${unknown} ("savepoint ${command}")`;
}

describe('a document', () => {
  it('shows only commands and options that exist', () => {
    const shown = textFiles()
      .filter((file) => PAGES.test(file.path) && !GENERATED.test(file.path))
      .flatMap(shownIn);
    expect(shown.length).toBeGreaterThan(20);
    expect(shown.map(problem).filter((text) => text !== undefined)).toEqual([]);
  });

  it('is found out when it shows something else', () => {
    const text =
      'Run `savepoint capture --nonsense`.\n\n```sh\nsavepoint conquer the world\nnpx savepoint list --quick\n```\n';
    expect(shownIn({ path: 'x.md', text }).map(problem)).toEqual([
      'x.md: docs/cli.md has no option --nonsense ("savepoint capture --nonsense")',
      'x.md: docs/cli.md has no "savepoint conquer the world"',
      'x.md: docs/cli.md has no option --quick ("savepoint list --quick")',
    ]);
  });
});
