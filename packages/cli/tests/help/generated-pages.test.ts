import { spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ERROR_TABLE } from '@savepoint/core';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

test('docs/cli.md and docs/errors.md are what the definitions and the error table give', () => {
  const { status, stderr } = spawnSync(process.execPath, ['scripts/generate-docs.mjs', '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('docs/errors.md has an anchor for every code', () => {
  const page = fs.readFileSync(`${root}docs/errors.md`, 'utf8');
  for (const code of Object.keys(ERROR_TABLE)) expect(page).toContain(`\n## ${code}\n`);
});
