import { expect, test } from 'vitest';
import type { HookFiles, HookReport } from '../../src/model/hook.js';
import { init, uninstall } from '../../src/ops/init.js';
import { makeWorld } from '../timeline/world.js';

const REPORT: HookReport = { hook: 'pre-push', path: '/p', installed: true, changed: true };

/** Hooks that remember what was asked of them. */
function recorder(): HookFiles & { readonly asked: string[] } {
  const asked: string[] = [];
  const answer = (what: string) => () => {
    asked.push(what);
    return Promise.resolve({ ...REPORT, installed: what === 'install' });
  };
  return { asked, install: answer('install'), uninstall: answer('uninstall'), state: answer('state') };
}

test('init installs the hook and uninstall removes it; both return its report', async () => {
  const { repository } = makeWorld();
  const hooks = recorder();
  expect(await init({ repository, hooks })).toEqual({ hooks: [REPORT] });
  expect(await uninstall({ repository, hooks })).toEqual({ hooks: [{ ...REPORT, installed: false }] });
  expect(hooks.asked).toEqual(['install', 'uninstall']);
});

test('a failure of the hooks is a failure of init', async () => {
  const { repository } = makeWorld();
  const failure = new Error('locked');
  const hooks: HookFiles = { ...recorder(), install: () => Promise.reject(failure) };
  await expect(init({ repository, hooks })).rejects.toBe(failure);
});
