import { describe, expect, test } from 'vitest';
import { COMMANDS, GROUPS } from '../../src/commands/registry.js';
import { run } from '../fake-face.js';

describe('help', () => {
  test('`savepoint`, `savepoint --help` and `savepoint help` show the same overview with every verb', async () => {
    const [bare, option, verb] = await Promise.all([[], ['--help'], ['help']].map((words) => run({ words })));
    expect(bare?.exitCode).toBe(0);
    expect(option).toEqual(bare);
    expect(verb).toEqual(bare);
    for (const { name } of [...COMMANDS.filter((command) => !command.name.includes(' ')), ...GROUPS]) {
      expect(bare?.out).toMatch(new RegExp(`^  ${name} `, 'm'));
    }
  });

  test.each(COMMANDS.map(({ name }) => name))(
    '`savepoint help %s` and `savepoint %s --help` are the same',
    async (name) => {
      const words = name.split(' ');
      const asked = await run({ words: ['help', ...words] });
      expect(asked.exitCode).toBe(0);
      expect(asked.out).toContain(`savepoint ${name}`);
      expect(await run({ words: [...words, '--help'] })).toEqual(asked);
      expect(asked.calls).toEqual([]);
    },
  );

  test('puts options where they are read as such: before `--`', async () => {
    for (const { name } of COMMANDS) {
      const { out } = await run({ words: ['help', ...name.split(' ')] });
      expect(/^Usage .*/m.exec(out)?.[0]).not.toMatch(/-- .*\[options\]/);
    }
    expect((await run({ words: ['help', 'restore'] })).out).toContain(
      'savepoint restore SELECTOR [options] [-- PATH...]',
    );
  });

  test('for one verb shows usage, options, examples and exit codes', async () => {
    expect(`\n${(await run({ words: ['verify', '-h'] })).out}`).toMatchInlineSnapshot(`
      "
      savepoint verify proves content ids, signatures, chain, slices and anchor, offline, and says what is not proven

      Usage  savepoint verify [SELECTOR|FILE] [options]

      A published file is verified in any directory, with no repository at all. A word is a file
      if one of that name is there and it is no id, \`head\` or \`form:\`; \`./\` before it says so in
      any case.

      Arguments
        SELECTOR|FILE  Which snapshot, or a published file (\`-\` is standard input); without it the head

      Options
        -a, --all      Every timeline of every worktree, and imports
        --deep         Also read every byte
        --at SELECTOR  See things as they were at this snapshot

      Options of every verb
        -C, --directory DIR  Work as if started in DIR
        --json               Print exactly one JSON value; an error is one JSON object on standard error
        -q, --quiet          Print only the result
        --no-color           Print no colours; the variable NO_COLOR does the same
        -y, --yes            Answer every question with yes
        -h, --help           Show help for the command
        -V, --version        Print the version

      Examples
        savepoint verify                   The newest snapshot
        savepoint verify --all --deep      Everything, to the last byte
        savepoint verify review.savepoint  What somebody gave you

      Exit codes
        0   Every result is \`valid\` or \`valid_unknown_signer\`
        14  One is \`unsigned\` or \`revoked\`, none is worse
        15  One has any other verdict
        16  One has a major version that this Savepoint does not know
      "
    `);
  });

  test('for a group lists its verbs', async () => {
    expect(`\n${(await run({ words: ['help', 'key'] })).out}`).toMatchInlineSnapshot(`
      "
      savepoint key: your signing key and the keys that you trust

        savepoint key show                  shows your public key and the keys that you trust or revoked
        savepoint key trust NAME PUBLICKEY  gives somebody's public key a name, so that their snapshots are \`valid\`
        savepoint key rotate [options]      makes a new signing key; the old one signs it, and what it signed stays valid
        savepoint key revoke KEY [options]  declares a key stolen: what it signed is \`revoked\`, except what the last good snapshots reach

      \`savepoint key\` alone is \`savepoint key show\`.
      "
    `);
  });

  test('for a verb that does not exist is an error with a guess', async () => {
    const ran = await run({ words: ['help', 'captur'] });
    expect(ran.exitCode).toBe(2);
    expect(ran.err).toContain('Did you mean `capture`?');
  });

  test('with --json is the definitions', async () => {
    const { commands } = JSON.parse((await run({ words: ['--help', '--json'] })).out) as {
      commands: { name: string }[];
    };
    expect(commands.map(({ name }) => name)).toEqual(COMMANDS.map(({ name }) => name));
  });

  test('--version prints the version alone, also in JSON', async () => {
    expect((await run({ words: ['list', '--version'] })).out).toBe('development\n');
    expect(JSON.parse((await run({ words: ['-V', '--json'] })).out)).toEqual({ version: 'development' });
  });
});
