/** System calls that fail in the middle of a capture: a whole snapshot or a clear error, and the next capture works. */
import { faultMoments, noStrace, plainRepository, tryFault, type Fault, type FaultTrial } from '@savepoint/testkit';
import { describe, expect, it } from 'vitest';
import { capture } from './support/acts.js';

const missing = noStrace();
const because = missing === undefined ? '' : ` (skipped: ${missing})`;

/** A selection; `npm run slow:faults` tries them all. */
const FAULTS: readonly (Omit<Fault, 'when'> & { readonly codes: readonly string[] })[] = [
  { call: 'fsync', error: 'EIO', codes: ['store_unwritable'] },
  { call: 'rename', error: 'ENOSPC', codes: ['disk_full', 'store_unwritable'] },
  { call: 'mkdir', error: 'EROFS', codes: ['store_unwritable'] },
  { call: 'link', error: 'EACCES', codes: ['store_unwritable'] },
];

describe.skipIf(missing !== undefined)('a system call that fails', () => {
  it.each(FAULTS)(`as $call with $error never ends in half a snapshot${because}`, async ({ codes, ...fault }) => {
    const fixture = plainRepository();
    await capture(fixture);
    fixture.write('src/two.txt', 'changed\n');
    const told = new Set<string | undefined>();
    for (const when of faultMoments(fixture, fault.call)) {
      fixture.write('src/two.txt', `${fault.call} ${String(when)}\n`);
      const trial = await tryFault(fixture, { ...fault, when });
      expect(trial.problems).toEqual([]);
      // The undisturbed capture had more to do than those after it.
      if (!trial.struck) break;
      if (trial.code !== 0) told.add(trial.errorCode);
    }
    expect([...told].length).toBeGreaterThan(0);
    expect(codes).toEqual(expect.arrayContaining([...told]));
  });

  it(`in the start of git is told as what it is${because}`, async () => {
    const fixture = plainRepository();
    await capture(fixture);
    const trials: FaultTrial[] = [];
    // The first one starts Node itself.
    for (const when of [2, 3, 4]) {
      fixture.write('src/two.txt', `start ${String(when)}\n`);
      trials.push(await tryFault(fixture, { call: 'clone', error: 'EAGAIN', when }));
    }
    const struck = trials.filter((trial) => trial.struck);
    expect(struck.length).toBeGreaterThan(0);
    expect(new Set(struck.map(({ errorCode }) => errorCode))).toEqual(new Set(['system_failed']));
    expect(trials.flatMap(({ problems }) => problems)).toEqual([]);
  });
});
