/**
 * Records a session of Claude Code against a local stand-in for the model: what the agent wrote in its logs, and what the
 * model received. `node scripts/record/claude.mjs CLAUDE FOLDER` runs the program CLAUDE (of a pinned version, such as
 * `npm install @anthropic-ai/claude-code@2.1.329` gives) without any network and writes the scrubbed recording to FOLDER.
 */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { writeRecording } from './recording.mjs';
import { startModel } from './scripted-model.mjs';

const [claude, folder] = process.argv.slice(2);
const work = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'record-')));
const [home, repo] = [path.join(work, 'home'), path.join(work, 'repo')];
const SESSION = '11111111-2222-4333-8444-555555555555';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const at = (name) => path.join(repo, name);
const plan = (text, ...steps) => `${text} @@plan ${JSON.stringify(steps)} @@`;
const hook = (event, text) => ({
  hooks: [
    {
      type: 'command',
      command: `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: text } })}'`,
    },
  ],
});

function prepare() {
  fs.mkdirSync(path.join(repo, '.claude'), { recursive: true });
  fs.mkdirSync(path.join(repo, 'src'));
  fs.mkdirSync(home);
  const git = (...words) => execFileSync('git', words, { cwd: repo, env: environment('') });
  git('init', '-q', '-b', 'main');
  fs.writeFileSync(at('CLAUDE.md'), '# Rules of this demo\n\nWrite short lines.\n');
  fs.writeFileSync(at('src/lines.txt'), Array.from({ length: 40 }, (_, index) => `line ${index + 1}\n`).join(''));
  fs.writeFileSync(at('pixel.png'), Buffer.from(PIXEL, 'base64'));
  const hooks = {
    SessionStart: [hook('SessionStart', 'Told at the start.')],
    UserPromptSubmit: [hook('UserPromptSubmit', 'Told with a prompt.')],
    PostToolUse: [hook('PostToolUse', 'Told after a tool.')],
  };
  const allow = ['Bash', 'Write', 'Edit', 'Read', 'Agent', 'Task', 'Grep', 'Glob'];
  fs.writeFileSync(at('.claude/settings.json'), JSON.stringify({ hooks, permissions: { allow } }));
  fs.writeFileSync(
    path.join(home, '.claude.json'),
    JSON.stringify({ hasCompletedOnboarding: true, projects: { [repo]: { hasTrustDialogAccepted: true } } }),
  );
  git('add', '-A');
  git('commit', '-qm', 'begin');
}

function environment(url) {
  const person = { NAME: 'Tester', EMAIL: 'tester@example.com' };
  const git = Object.entries(person).flatMap(([name, value]) => [
    [`GIT_AUTHOR_${name}`, value],
    [`GIT_COMMITTER_${name}`, value],
  ]);
  return {
    PATH: process.env.PATH,
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    TMPDIR: work,
    GIT_CONFIG_NOSYSTEM: '1',
    ...Object.fromEntries(git),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'dummy-not-a-key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    IS_SANDBOX: '1',
  };
}

function turn(url, prompt, ...options) {
  const words = ['-p', prompt, '--model', 'claude-sonnet-4-5', '--output-format', 'json', ...options];
  return new Promise((resolve, reject) => {
    const child = spawn(claude, words, {
      cwd: repo,
      env: environment(url),
      stdio: ['ignore', 'pipe', 'inherit'],
      timeout: 120_000,
    });
    child.stdout.resume();
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`the agent ended with ${code} after: ${prompt}`)),
    );
  });
}

async function play(url) {
  const again = ['--resume', SESSION];
  await turn(
    url,
    plan(
      'Write and read.',
      { calls: [['Write', { file_path: at('hello.txt'), content: 'hello\n' }]] },
      {
        calls: [
          ['Read', { file_path: at('src/lines.txt'), offset: 5, limit: 3 }],
          ['Bash', { command: 'echo both; exit 3', description: 'fails' }],
          ['Read', { file_path: at('src/lines.txt') }],
        ],
      },
      { say: 'The files are read.' },
    ),
    '--session-id',
    SESSION,
  );
  await turn(
    url,
    plan(
      'Now edit.',
      { calls: [['Edit', { file_path: at('hello.txt'), old_string: 'hello', new_string: 'good day' }]] },
      { calls: [['Bash', { command: 'printf x >> src/lines.txt', description: 'appends' }]] },
      { calls: [['Read', { file_path: at('pixel.png') }]] },
      { calls: [['Read', { file_path: at('nowhere.txt') }]] },
      { calls: [['WebFetch', { url: 'http://127.0.0.1:9/', prompt: 'what' }]] },
      { say: 'The edit is done.' },
    ),
    ...again,
  );
  await turn(
    url,
    plan(
      'Ask another.',
      {
        calls: [
          [
            'Agent',
            {
              description: 'a subagent',
              subagent_type: 'general-purpose',
              prompt: plan(
                'Below.',
                { calls: [['Bash', { command: 'echo below', description: 'speaks' }]] },
                { say: 'Done below.' },
              ),
            },
          ],
        ],
      },
      { say: 'It was asked.' },
    ),
    ...again,
  );
  await turn(url, '/compact', ...again);
  await turn(
    url,
    plan(
      'After the summary.',
      { calls: [['Bash', { command: 'cat hello.txt', description: 'shows' }]] },
      { say: 'All is there.' },
    ),
    ...again,
  );
  await turn(url, plan('On a fork.', { say: 'Forked.' }), ...again, '--fork-session');
}

prepare();
const model = await startModel();
try {
  await play(model.url);
  writeRecording({
    folder,
    requests: model.requests,
    projects: path.join(home, '.claude', 'projects'),
    places: { [repo]: '/home/dev/repo', [home]: '/home/dev', [work]: '/tmp/dev' },
  });
} finally {
  model.stop();
  fs.rmSync(work, { recursive: true, force: true });
}
