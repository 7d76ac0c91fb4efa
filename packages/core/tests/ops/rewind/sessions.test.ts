/** Sessions at work: a turn in progress refuses, another session's files are conflicts, older untracked files stay. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { rewind, type RewindRequest } from '../../../src/ops/rewind/rewind.js';
import { undo } from '../../../src/ops/rewind/undo.js';
import { age, place, type Place } from './place.js';

const A = 'aaaaaaaa-2222-4333-8444-555555555555';
const B = 'bbbbbbbb-2222-4333-8444-555555555555';

const now = () => new Date().toISOString();
const prompt = () => ({ type: 'user', timestamp: now(), message: { role: 'user', content: 'do it' } });
const done = () => ({
  type: 'assistant',
  timestamp: now(),
  message: { role: 'assistant', stop_reason: 'end_turn', content: [{ type: 'text', text: 'done' }] },
});
const write = (file: string) => ({
  type: 'assistant',
  timestamp: now(),
  message: {
    role: 'assistant',
    stop_reason: 'tool_use',
    content: [{ type: 'tool_use', id: file, name: 'Write', input: { file_path: file } }],
  },
});

function rewindTo(at: Place, selector: string, more: Partial<RewindRequest> = {}) {
  return at.with((repository) => rewind({ repository, selector, ...more }));
}

describe("an agent's turn in progress", () => {
  test('refuses a rewind and names the session, unless it is forced or asks itself', async () => {
    const at = place();
    const first = await at.snapshot();
    at.fixture.write('a.txt', 'changed\n');
    at.agent(A, [prompt()]);
    await expect(rewindTo(at, first)).rejects.toMatchObject({
      code: 'agent_at_work',
      kind: 'refused',
      data: { session: A, agent: 'claude-code' },
    });
    expect(readFileSync(at.fixture.path('a.txt'), 'utf8')).toBe('changed\n');
    expect(await rewindTo(at, first, { dryRun: true })).toMatchObject({ notes: [expect.stringContaining('turn')] });
    const forced = await rewindTo(at, first, { force: true });
    expect(forced.safety).toMatch(/^[0-9a-f]{64}$/);
    expect(readFileSync(at.fixture.path('a.txt'), 'utf8')).toBe('a\n');
    await at.with((repository) => undo({ repository, force: true }));
    expect(readFileSync(at.fixture.path('a.txt'), 'utf8')).toBe('changed\n');
    expect(await rewindTo(at, first, { session: A })).toMatchObject({ partial: false });
  });

  test('of a log that nobody has written to for ten minutes is over', async () => {
    const at = place();
    const first = await at.snapshot();
    at.fixture.write('a.txt', 'changed\n');
    age(at.agent(A, [prompt()]).file, 11);
    expect(await rewindTo(at, first)).toMatchObject({ partial: false });
  });
});

describe('two sessions in one worktree', () => {
  test("what the other one changed is a conflict for one's own rewind, and untouched", async () => {
    const at = place();
    at.fixture.write('x.txt', 'x\n');
    at.fixture.write('y.txt', 'y\n');
    at.fixture.write('z.txt', 'z\n');
    const first = await at.snapshot();
    for (const name of ['x', 'y', 'z']) at.fixture.write(`${name}.txt`, 'changed\n');
    at.agent(A, [prompt(), write(at.fixture.path('x.txt')), write(at.fixture.path('z.txt')), done()]);
    at.agent(B, [prompt(), write(at.fixture.path('x.txt')), write(at.fixture.path('y.txt')), done()]);
    const result = await rewindTo(at, first, { session: A });
    expect(result.files).toEqual([
      expect.objectContaining({ path: 'x.txt', action: 'conflict', reason: 'other_session' }),
      expect.objectContaining({ path: 'y.txt', action: 'conflict', reason: 'other_session' }),
      expect.objectContaining({ path: 'z.txt', action: 'write' }),
    ]);
    expect(result.partial).toBe(true);
    expect(readFileSync(at.fixture.path('y.txt'), 'utf8')).toBe('changed\n');
    const forced = await rewindTo(at, first, { session: A, force: true });
    expect(forced).toMatchObject({ partial: false });
    expect(readFileSync(at.fixture.path('y.txt'), 'utf8')).toBe('y\n');
  });

  test('undo of one does not take back what the other or a person did', async () => {
    const at = place();
    const first = await at.snapshot();
    at.fixture.write('a.txt', 'changed\n');
    await at.snapshot();
    await rewindTo(at, first, { session: B });
    for (const session of [A, undefined]) {
      const asked = at.with((repository) => undo({ repository, ...(session !== undefined && { session }) }));
      await expect(asked).rejects.toMatchObject({ code: 'nothing_to_undo', kind: 'not_found' });
    }
    expect(readFileSync(at.fixture.path('a.txt'), 'utf8')).toBe('a\n');
    expect(await at.with((repository) => undo({ repository, session: B }))).toMatchObject({ of: { kind: 'rewind' } });
  });

  test('a person who works with one session rewinds what that session wrote', async () => {
    const at = place();
    const first = await at.snapshot();
    at.fixture.write('a.txt', 'changed\n');
    at.agent(A, [prompt(), write(at.fixture.path('a.txt')), done()]);
    expect(await rewindTo(at, first)).toMatchObject({ partial: false });
    expect(readFileSync(at.fixture.path('a.txt'), 'utf8')).toBe('a\n');
  });
});
