/** The law of what was there when a live session began: untracked, it stays where the target is older, except for `--exact`. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { rewind, type RewindRequest } from '../../../src/ops/rewind/rewind.js';
import { age, place, type Place } from './place.js';

/** When a file came, in steps; the first target is taken at 0, the second at 2, sessions begin at 3 and 5. */
interface Born {
  readonly at: number;
  /** In HEAD at the end, or ignored. */
  readonly is?: 'tracked' | 'ignored';
}

const FILES: Readonly<Record<string, Born>> = {
  'recorded.txt': { at: 1 },
  'edited.txt': { at: 1 },
  'replaced.txt': { at: 1 },
  'staged.txt': { at: 1 },
  'committed-before.txt': { at: 1, is: 'tracked' },
  'committed-since.txt': { at: 1, is: 'tracked' },
  'kept.log': { at: 1, is: 'ignored' },
  'deep/er/unrecorded.txt': { at: 2.5 },
  'between.txt': { at: 4 },
  'late.txt': { at: 6 },
  'unheld.txt': { at: 8 },
};

/** Their content changed since the second target. */
const REWRITTEN = ['edited.txt', 'replaced.txt'];

const TARGETS = [0, 2] as const;
type Beginning = 'before the targets' | 3 | 5 | 'unknown';

interface Session {
  readonly began: Beginning;
  readonly isLive: boolean;
}

interface World {
  readonly at: Place;
  readonly targets: ReadonlyMap<number, string>;
  readonly times: ReadonlyMap<number, string>;
}

let world: World;
beforeAll(async () => {
  const at = place();
  const [targets, times] = [new Map<number, string>(), new Map<number, string>()];
  const pass = () => new Promise((resolve) => setTimeout(resolve, 120));
  const make = (step: number) => {
    for (const [name, { at: born }] of Object.entries(FILES)) if (born === step) at.fixture.write(name, `${name}\n`);
  };
  const commit = (name: string) => {
    at.fixture.git('add', name);
    at.fixture.git('commit', '-qm', name, '--', name);
  };
  const begin = async (step: number) => {
    await pass();
    times.set(step, new Date().toISOString());
    await pass();
  };
  targets.set(0, await at.snapshot());
  make(1);
  commit('committed-before.txt');
  targets.set(2, await at.snapshot());
  make(2.5);
  await begin(3);
  make(4);
  await begin(5);
  make(6);
  at.fixture.write('edited.txt', 'edited since\n');
  at.fixture.write('other', 'replaced since\n');
  renameSync(at.fixture.path('other'), at.fixture.path('replaced.txt'));
  at.fixture.git('add', 'staged.txt');
  commit('committed-since.txt');
  await at.snapshot();
  make(8);
  world = { at, targets, times };
});

/** What the rule says, by the steps alone. */
function expected(target: number, sessions: readonly Session[], exact: boolean): Readonly<Record<string, string>> {
  const told: Record<string, string> = {};
  const beginnings = sessions.flatMap(({ began, isLive }) => {
    if (!isLive || began === 'before the targets') return [];
    return began === 'unknown' ? [Infinity] : [began];
  });
  for (const [name, { at, is }] of Object.entries(FILES)) {
    if (is === 'ignored') told[name] = 'ignored';
    else if (at < target) {
      if (is === undefined && REWRITTEN.includes(name)) told[name] = 'write';
    } else if (!exact && name === 'unheld.txt') told[name] = 'in_no_snapshot';
    else if (!exact && is !== 'tracked' && beginnings.some((began) => began > target && at < began))
      told[name] = 'before_session';
    else told[name] = 'delete';
  }
  return told;
}

const RECORDED_LONG_AGO = '2020-01-02T03:04:05.678Z';

function play({ at, times }: World, sessions: readonly Session[]): void {
  rmSync(path.join(at.fixture.home, '.claude'), { recursive: true, force: true });
  sessions.forEach(({ began, isLive }, index) => {
    const time = began === 'before the targets' ? RECORDED_LONG_AGO : times.get(Number(began));
    const message = { role: 'assistant', stop_reason: 'end_turn', content: [{ type: 'text', text: 'done' }] };
    const line = { type: 'assistant', ...(time !== undefined && { timestamp: time }), message };
    const agent = at.agent(`${String(index).repeat(8)}-2222-4333-8444-555555555555`, [line]);
    if (!isLive) age(agent.file, 11);
  });
}

async function plannedFor(
  target: number,
  more: Partial<RewindRequest> = {},
): Promise<Readonly<Record<string, string>>> {
  const { at, targets } = world;
  const selector = targets.get(target) ?? '';
  const { files } = await at.with((repository) => rewind({ repository, selector, dryRun: true, ...more }));
  const named = files.filter(({ path: name, type }) => name in FILES && type === undefined);
  return Object.fromEntries(named.map(({ path: name, action, reason }) => [name, reason ?? action]));
}

const session = fc.record({
  began: fc.constantFrom<Beginning>('before the targets', 3, 5, 'unknown'),
  isLive: fc.boolean(),
});

const CASES: readonly [target: 0 | 2, sessions: Session[], exact: boolean][] = [
  [0, [], false],
  [0, [{ began: 3, isLive: true }], false],
  [0, [{ began: 3, isLive: true }], true],
  [0, [{ began: 5, isLive: false }], false],
  [0, [{ began: 'before the targets', isLive: true }], false],
  [0, [{ began: 'unknown', isLive: true }], false],
  [
    2,
    [
      { began: 3, isLive: true },
      { began: 5, isLive: true },
    ],
    false,
  ],
  [
    2,
    [
      { began: 3, isLive: true },
      { began: 5, isLive: false },
    ],
    false,
  ],
];

test('untracked files that were there when a live session began stay, where the target is older; nothing else does', async () => {
  const sessions = fc.array(session, { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...TARGETS), sessions, fc.boolean(), async (target, live, exact) => {
      play(world, live);
      expect(await plannedFor(target, { exact })).toEqual(expected(target, live, exact));
    }),
    { numRuns: CASES.length + 8, examples: CASES.map(([target, live, exact]) => [target, live, exact]) },
  );
});

test('what is planned is what is done, and --exact takes them too', async () => {
  const { at, targets } = world;
  play(world, [{ began: 3, isLive: true }]);
  const selector = targets.get(0) ?? '';
  const there = (): readonly string[] => Object.keys(FILES).filter((name) => existsSync(at.fixture.path(name)));
  await at.with((repository) => rewind({ repository, selector }));
  const staying = ['recorded.txt', 'edited.txt', 'replaced.txt', 'staged.txt', 'kept.log', 'deep/er/unrecorded.txt'];
  expect(there()).toEqual([...staying, 'unheld.txt']);
  await at.with((repository) => rewind({ repository, selector, exact: true }));
  expect(there()).toEqual(['kept.log']);
});
