import { mkdirSync, rmSync } from 'node:fs';
import { unbornRepository } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import { objectId } from '../../src/model/tree/object-id.js';
import type { BegunLook } from '../../src/worktree/scan/early-look.js';
import { filesBelow, look, lookAfterOwnChanges, objectSpace, type Bench, type Look } from './bench.js';

async function settled(): Promise<Bench> {
  const fixture = unbornRepository();
  const space = objectSpace(fixture);
  for (let at = 0; at < 6; at += 1) fixture.write(`d/f${String(at)}`, `content ${String(at)}`);
  // As old as git needs a file to be, to tell by its status that it is as it was.
  await new Promise((resolve) => setTimeout(resolve, 2100));
  await look(fixture, space);
  return { fixture, space };
}

async function contentOf({ space }: Bench, { tree }: Look): Promise<Record<string, string>> {
  const text = (id: string): string => Buffer.from(space.blobs.get(id) ?? []).toString();
  return Object.fromEntries([...(await filesBelow(space, tree))].map(([file, entry]) => [file, text(entry.slice(7))]));
}

describe('a scan whose look began before its caller changed files', { timeout: 60_000, concurrent: true }, () => {
  test.each([false, true])('says what a scan from nothing says, of all changes (foreseen: %s)', async (foresees) => {
    const bench = await settled();
    const { fixture, space } = bench;
    const after = await lookAfterOwnChanges(bench, {
      foresees,
      before: () => {
        fixture.write('d/f1', 'of another');
        fixture.write('d/new', 'of another, new');
        rmSync(fixture.path('d/f2'));
      },
      own: () => {
        fixture.write('d/f3', 'own');
        fixture.write('e/made', 'own, made');
        rmSync(fixture.path('d/f4'));
        // Somebody was quicker than the scan: not what the caller wrote is there.
        fixture.write('d/f5', 'written over it');
      },
      paths: ['d/f3', 'e/made', 'd/f4', 'd/f5'],
      stored: [objectId('sha1', 'blob', Buffer.from('what the caller wrote'))],
    });
    const expected = await look(fixture, space, { fresh: true });
    expect(after).toEqual(expected);
    expect(await contentOf(bench, after)).toEqual({
      'd/f0': 'content 0',
      'd/f1': 'of another',
      'd/f3': 'own',
      'd/f5': 'written over it',
      'd/new': 'of another, new',
      'e/made': 'own, made',
    });
    expect(await look(fixture, space)).toEqual(expected);
  });

  test('judges names by the rules that the caller has just written', async () => {
    const bench = await settled();
    const { fixture, space } = bench;
    const after = await lookAfterOwnChanges(bench, {
      own: () => {
        fixture.write('.gitignore', '*.log\nf0\n');
        fixture.write('d/made.log', 'ignored');
      },
      paths: ['.gitignore', 'd/made.log'],
    });
    const names = Object.keys(await contentOf(bench, after)).sort();
    expect(names).toEqual(['.gitignore', 'd/f1', 'd/f2', 'd/f3', 'd/f4', 'd/f5']);
    expect(after).toEqual(await look(fixture, space, { fresh: true }));
  });

  test('leaves to the next scan what others change in a file that was looked at already', async () => {
    const bench = await settled();
    const { fixture, space } = bench;
    const after = await lookAfterOwnChanges(bench, {
      own: async (early) => {
        await (early as BegunLook).suspects();
        fixture.write('d/f3', 'own');
        fixture.write('d/f0', 'late');
      },
      paths: ['d/f3'],
    });
    expect(await contentOf(bench, after)).toMatchObject({ 'd/f0': 'content 0', 'd/f3': 'own' });
    const next = await look(fixture, space);
    expect(await contentOf(bench, next)).toMatchObject({ 'd/f0': 'late', 'd/f3': 'own' });
    expect(next).toEqual(await look(fixture, space, { fresh: true }));
  });

  test('is done at once where the caller is quick, and leaves what others change to the next scan', async () => {
    const bench = await settled();
    const { fixture, space } = bench;
    const after = await lookAfterOwnChanges(bench, {
      brief: true,
      before: () => {
        fixture.write('d/f1', 'of another');
        fixture.write('other/new', 'of another, new');
      },
      own: () => {
        fixture.write('d/f3', 'own');
        fixture.write('e/deep/made', 'own, made');
        rmSync(fixture.path('d/f4'));
        fixture.write('d/f5', 'written over it');
      },
      paths: ['d/f3', 'e/deep/made', 'e/deep', 'd/f4', 'd/f5'],
    });
    const own = { 'd/f3': 'own', 'e/deep/made': 'own, made', 'd/f5': 'written over it' };
    const content = await contentOf(bench, after);
    expect(content).toMatchObject({ 'd/f1': 'content 1', ...own });
    expect(Object.keys(content)).not.toContain('d/f4');
    const next = await look(fixture, space);
    expect(await contentOf(bench, next)).toMatchObject({
      'd/f1': 'of another',
      'other/new': 'of another, new',
      ...own,
    });
    expect(next).toEqual(await look(fixture, space, { fresh: true }));
  });

  test('looks again where the caller took longer than it said', async () => {
    const bench = await settled();
    const { fixture, space } = bench;
    const after = await lookAfterOwnChanges(bench, {
      brief: true,
      own: async () => {
        fixture.write('d/f3', 'own');
        fixture.write('d/f1', 'of another');
        fixture.write('other/new', 'of another, new');
        await new Promise((resolve) => setTimeout(resolve, 1100));
      },
      paths: ['d/f3'],
    });
    expect(await contentOf(bench, after)).toMatchObject({ 'd/f1': 'of another', 'other/new': 'of another, new' });
    expect(after).toEqual(await look(fixture, space, { fresh: true }));
  });

  test.each([true, false])('sees directories of its caller come and go (in a moment: %s)', async (brief) => {
    const bench = await settled();
    const { fixture, space } = bench;
    fixture.write('gone/deep/file', 'to go');
    fixture.write('turned/deep/file', 'to become a file');
    const after = await lookAfterOwnChanges(bench, {
      brief,
      own: () => {
        for (const directory of ['gone', 'turned']) rmSync(fixture.path(directory), { recursive: true });
        fixture.write('turned', 'a file now');
        fixture.write('made/a/b/file', 'new');
        mkdirSync(fixture.path('made/empty'));
      },
      paths: ['gone', 'gone/deep/file', 'turned', 'turned/deep/file', 'made/a/b/file', 'made/empty'],
    });
    expect(after).toEqual(await look(fixture, space, { fresh: true }));
  });

  test.each([true, false])('forgets rules that git has read before others came (in a moment: %s)', async (brief) => {
    const bench = await settled();
    const { fixture, space } = bench;
    // So that the first scan asks git about this directory.
    fixture.write('d/asked', 'new');
    const after = await lookAfterOwnChanges(bench, {
      brief,
      own: () => {
        fixture.write('d/.gitignore', 'made*\n');
        fixture.write('d/made', 'ignored');
      },
      paths: ['d/.gitignore', 'd/made'],
    });
    expect(Object.keys(await contentOf(bench, after))).not.toContain('d/made');
    expect(after).toEqual(await look(fixture, space, { fresh: true }));
  });

  test('asks for what no scan left only where one did', async () => {
    const bench = await settled();
    await lookAfterOwnChanges(bench, {
      own: (early, worktree) => {
        expect(early).toBeDefined();
        expect(worktree.lookEarly({ names: false, brief: true })).toBeUndefined();
      },
      paths: [],
    });
  });
});
