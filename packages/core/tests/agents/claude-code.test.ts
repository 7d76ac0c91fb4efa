import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryDirectory } from '@savepoint/testkit';
import { describe, expect, test } from 'vitest';
import type { AgentAdapter } from '../../src/agents/adapter.js';
import { claudeCode, projectFolder } from '../../src/agents/claude-code/claude-code.js';

interface Place {
  readonly adapter: AgentAdapter;
  readonly root: string;
  readonly configDirectory: string;
  /** Writes a log into the folder of a directory; `cwd` is what it says of itself. */
  log(
    session: string,
    cwd: string,
    options?: { readonly folder?: string; readonly at?: number; readonly head?: string },
  ): string;
}

function place(name = 'a project'): Place {
  const home = temporaryDirectory();
  const configDirectory = path.join(home, '.claude');
  const root = path.join(home, name);
  mkdirSync(root, { recursive: true });
  return {
    adapter: claudeCode({ configDirectory }),
    root,
    configDirectory,
    log(session, cwd, { folder = projectFolder(cwd), at = 1000, head = '' } = {}) {
      const file = path.join(configDirectory, 'projects', folder, `${session}.jsonl`);
      mkdirSync(path.dirname(file), { recursive: true });
      const line = { type: 'user', cwd, sessionId: session, message: { role: 'user', content: 'hello' } };
      writeFileSync(file, `${head}{"type":"summary","summary":"x"}\n${JSON.stringify(line)}\n{"torn`);
      utimesSync(file, at, at);
      return file;
    },
  };
}

const sessions = async ({ adapter, root }: Place, since = 0): Promise<string[]> =>
  (await adapter.transcriptsOf(root, since)).map(({ session }) => session);

describe('the folder of a directory', () => {
  test('has a dash for every other character, and long ones end in a hash of the whole', () => {
    expect(projectFolder('/home/x/my.project_1')).toBe('-home-x-my-project-1');
    expect(projectFolder('/größe')).toBe('-gr--e');
    expect(projectFolder(`/${'a'.repeat(199)}`)).toBe(`-${'a'.repeat(199)}`);
    const long = projectFolder(`/${'a'.repeat(200)}`);
    expect(long).toMatch(/^-a{199}-[0-9a-z]+$/);
    expect(long).not.toBe(projectFolder(`/${'a'.repeat(201)}`));
    // Java's String.hashCode of the same text.
    expect(projectFolder(`/${'b'.repeat(250)}`).slice(201)).toBe(
      Math.abs(javaHash(`/${'b'.repeat(250)}`)).toString(36),
    );
  });
});

function javaHash(text: string): number {
  let hash = 0n;
  for (const character of text) hash = BigInt.asIntN(32, hash * 31n + BigInt(character.charCodeAt(0)));
  return Number(hash);
}

describe('transcripts of a worktree', () => {
  test('are those written to since, newest first, also of sessions that began below', async () => {
    const here = place();
    here.log('one', here.root, { at: 100 });
    here.log('two', here.root, { at: 300 });
    here.log('three', path.join(here.root, 'deep/er'), { at: 200 });
    expect(await sessions(here)).toEqual(['two', 'three', 'one']);
    expect(await sessions(here, 200_000)).toEqual(['two', 'three']);
    expect(await sessions(here, 300_001)).toEqual([]);
  });

  test("are never another project's, though its folder has the same name or begins alike", async () => {
    const here = place();
    here.log('beside', `${here.root}-2`);
    here.log('twin', here.root.replace(/ (?=project$)/, '-'));
    here.log('above', path.dirname(here.root), { folder: projectFolder(here.root) });
    here.log('nowhere', '', { folder: projectFolder(here.root) });
    for (const [name, file] of [
      ['nested', '.git/HEAD'],
      ['linked', '.git'],
    ] as const) {
      const inner = path.join(here.root, name);
      mkdirSync(path.dirname(path.join(inner, file)), { recursive: true });
      writeFileSync(path.join(inner, file), 'gitdir: elsewhere\n');
      here.log(name, path.join(inner, 'src'));
    }
    here.log('mine', here.root);
    expect(await sessions(here)).toEqual(['mine']);
  });

  test('are found in a project with a long path', async () => {
    const here = place(`${'long/'.repeat(50)}path`);
    here.log('one', here.root);
    here.log('two', `${here.root}/below`);
    here.log('other', `${here.root}er`);
    expect((await sessions(here)).sort()).toEqual(['one', 'two']);
  });

  test('are none where there is no folder, no configuration, or something else in their place', async () => {
    const here = place();
    expect(await sessions(here)).toEqual([]);
    expect(await claudeCode({ configDirectory: undefined }).transcriptsOf(here.root, 0)).toEqual([]);
    const folder = path.join(here.configDirectory, 'projects', projectFolder(here.root));
    mkdirSync(path.join(folder, 'directory.jsonl'), { recursive: true });
    symlinkSync('nowhere', path.join(folder, 'dangling.jsonl'));
    writeFileSync(path.join(folder, 'binary.jsonl'), Buffer.from([0, 255, 10, 0x7b]));
    writeFileSync(path.join(folder, 'notes.txt'), JSON.stringify({ cwd: here.root }));
    expect(await sessions(here)).toEqual([]);
  });

  test('say where they ran also after a long first line', async () => {
    const here = place();
    here.log('one', here.root, { head: `${JSON.stringify({ type: 'summary', summary: 'x'.repeat(600_000) })}\n` });
    expect(await sessions(here)).toEqual(['one']);
  });
});

describe('a named log', () => {
  test('is of the session it names, its own before one that it goes on from', async () => {
    const here = place();
    const plain = here.log('plain', '/anywhere');
    expect(await here.adapter.identify(plain)).toEqual({
      agent: 'claude-code',
      session: 'plain',
      file: plain,
      modified: 1_000_000,
    });
    const forked = here.log('forked', '/anywhere', {
      head: '{"type":"user","sessionId":"origin","cwd":"/anywhere"}\n',
    });
    expect((await here.adapter.identify(forked))?.session).toBe('forked');
    const renamed = path.join(here.root, 'copy.jsonl');
    writeFileSync(renamed, '{"type":"mode","sessionId":""}\n{"type":"mode","sessionId":"origin"}\n');
    expect((await here.adapter.identify(renamed))?.session).toBe('origin');
  });

  test('is of no session if it says nothing of one', async () => {
    const here = place();
    for (const content of [
      '',
      'text\n',
      '[1]\n',
      'null\n',
      '{"type":"user","sessionId":7}\n',
      '{"sessionId":"of another agent"}\n',
    ]) {
      const file = path.join(here.root, 'log.jsonl');
      writeFileSync(file, content);
      expect(await here.adapter.identify(file)).toBeUndefined();
    }
  });
});
