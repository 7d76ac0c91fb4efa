/** T08, T21, T70: other sessions' work stays, a turn in progress refuses, and the agent is told what happened. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fakeAgent, plainRepository, type FakeAgent, type FixtureRepository } from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { capture, expectError } from '../support/acts.js';
import { expectEqual, operate, told } from '../support/operations.js';

const A = 'aaaaaaaa-2222-4333-8444-555555555555';
const B = 'bbbbbbbb-2222-4333-8444-555555555555';

function agentOf(fixture: FixtureRepository, session: string): FakeAgent {
  return fakeAgent({ configDirectory: join(fixture.home, '.claude'), cwd: fixture.root, session, lines: [] });
}

/** Plays a turn in which the agent writes a file; `ended` tells whether the turn came to its end. */
function writes(fixture: FixtureRepository, agent: FakeAgent, { file, ended }: { file: string; ended: boolean }): void {
  const say = (type: string, message: unknown): void => {
    const about = { sessionId: agent.session, cwd: fixture.root, timestamp: new Date().toISOString() };
    agent.append(`${JSON.stringify({ type, message, isSidechain: false, ...about })}\n`);
  };
  const use = { type: 'tool_use', id: `toolu_${file}`, name: 'Write', input: { file_path: fixture.path(file) } };
  say('user', { role: 'user', content: `Please write ${file}` });
  say('assistant', { role: 'assistant', content: [use], stop_reason: 'tool_use' });
  fixture.write(file, `by ${agent.session}\n`);
  say('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: use.id, content: 'ok' }] });
  if (ended)
    say('assistant', { role: 'assistant', content: [{ type: 'text', text: 'Done.' }], stop_reason: 'end_turn' });
}

describe('two sessions in one worktree', () => {
  it('do not take each other back: what the other changed is a conflict, and --force takes it', async () => {
    const fixture = plainRepository();
    const [a, b] = [agentOf(fixture, A), agentOf(fixture, B)];
    a.append('{}\n');
    const { id } = await capture(fixture, { args: ['--transcript', a.file] });
    writes(fixture, a, { file: 'src/one.txt', ended: true });
    writes(fixture, a, { file: 'src/four.txt', ended: true });
    writes(fixture, b, { file: 'src/one.txt', ended: true });
    writes(fixture, b, { file: 'src/two.txt', ended: true });
    const result = await operate(fixture, ['rewind', id, '--session', A], { code: 3 });
    expect(told(result)).toEqual(
      expect.arrayContaining([
        'src/four.txt: write',
        'src/one.txt: conflict other_session',
        'src/two.txt: conflict other_session',
      ]) as unknown,
    );
    expect(readFileSync(fixture.path('src/one.txt'), 'utf8')).toBe(`by ${B}\n`);
    expect(readFileSync(fixture.path('src/two.txt'), 'utf8')).toBe(`by ${B}\n`);
    expectEqual(fixture, id, ['src/one.txt', 'src/two.txt']);
    await operate(fixture, ['rewind', id, '--session', A, '--force']);
    expectEqual(fixture, id);
  });
});

describe('a turn in progress', () => {
  it('refuses a rewind, names the session, and gives way to --force with everything in the safety snapshot', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    const agent = agentOf(fixture, A);
    writes(fixture, agent, { file: 'src/two.txt', ended: false });
    await expectError(fixture, ['--yes', 'rewind', id], { exit: 17, code: 'agent_at_work' });
    const result = await operate(fixture, ['rewind', id, '--force']);
    expectEqual(fixture, id);
    expect(readFileSync(fixture.path('src/two.txt'), 'utf8')).toBe('modified, not staged\n');
    expect(result.safety).toBeDefined();
    await operate(fixture, ['undo', '--force']);
    expect(readFileSync(fixture.path('src/two.txt'), 'utf8')).toBe(`by ${A}\n`);
  });

  it('is no obstacle to the session itself, nor is one that went silent long ago', async () => {
    const fixture = plainRepository();
    const { id } = await capture(fixture);
    const agent = agentOf(fixture, A);
    writes(fixture, agent, { file: 'src/two.txt', ended: false });
    await operate(fixture, ['rewind', id, '--session', A]);
    expectEqual(fixture, id);
    agent.age(30);
    await operate(fixture, ['undo', '--session', A]);
    await operate(fixture, ['rewind', id]);
  });
});

describe('the note for the agent', () => {
  it('says what was done, from where to where, and what was not restored', async () => {
    const fixture = plainRepository();
    const { id, shortId } = await capture(fixture);
    fixture.write('src/one.txt', 'changed\n');
    fixture.write('kept.txt', 'in no snapshot\n');
    const { note, safety = '' } = await operate(fixture, ['rewind', id], { code: 3 });
    expect(note).toContain(`rewound to the snapshot ${shortId}`);
    expect(note).toContain(safety.slice(0, 12));
    expect(note).toContain('Written: src/one.txt');
    expect(note).toContain('Not restored: kept.txt (in no snapshot)');
    const partly = await operate(fixture, ['restore', safety, 'src/one.txt']);
    expect(partly.note).toMatch(/restored to the snapshot/);
    const undone = await operate(fixture, ['undo']);
    expect(undone.note).toContain('undo');
    expect(undone.note).toContain(partly.operation?.slice(0, 12));
  });
});
