/** Every adapter under the same rules. A new one adds its recorded logs here. */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describeAgent, type AgentCase, type RecordedLog } from '../../../testkit/src/agent-log/conformance.js';
import { claudeCode, projectFolder } from '../../src/agents/claude-code/claude-code.js';
import { codex } from '../../src/agents/codex/codex.js';
import { classifyKey } from '../../src/redact/secrets/keys.js';
import { redactLine } from '../../src/redact/redactor.js';

const ROOT = path.join(import.meta.dirname, '../fixtures/agents');
const ALL = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.jsonl'));

const strangersTo = (folders: RegExp): readonly string[] =>
  ALL.filter((file) => !folders.test(file)).map((file) => path.join(ROOT, file));
const redaction: Pick<AgentCase, 'redact' | 'isOpaque'> = {
  redact: (line) => redactLine(Buffer.from(line)).bytes,
  isOpaque: (key) => ['identifier', 'random'].includes(classifyKey(key).rule) || key === 'timestamp',
};

const recorded = (name: string, folder: string, session: string): RecordedLog => ({
  name,
  file: path.join(ROOT, folder, `${session}.jsonl`),
  session,
  directory: '/home/dev/repo',
});

const CLAUDE = '11111111-2222-4333-8444-555555555555';
describeAgent({
  name: 'claude-code',
  adapter: (home) => claudeCode({ configDirectory: home }),
  fileOf: (session, directory) => `projects/${projectFolder(directory)}/${session}.jsonl`,
  logs: [
    recorded('2.1.329', 'claude/projects/-home-dev-repo', CLAUDE),
    recorded('2.1.197', 'claude-2.1.197/projects/-home-dev-repo', CLAUDE),
  ],
  strangers: strangersTo(/^claude/),
  ...redaction,
});

const rollout = (name: string, file: string, session: string): RecordedLog => ({
  ...recorded(name, 'codex/sessions/2026/11/21', `rollout-2026-11-21T${file}-${session}`),
  session,
});
describeAgent({
  name: 'codex',
  adapter: (home) => codex({ home }),
  fileOf: (session) => `sessions/2026/11/21/rollout-2026-11-21T01-42-04-${session}.jsonl`,
  logs: [
    rollout('0.169.0', '01-42-04', '01a1fbc4-8cff-7ca1-8f0d-4d22176ec0b9'),
    rollout('0.169.0, cut and gone on from', '09-09-09', '01a1ffff-0000-7000-8000-00000000beef'),
  ],
  strangers: strangersTo(/^codex/),
  ...redaction,
});
