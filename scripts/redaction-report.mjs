/**
 * Measures the redactor on planted secrets and on recorded agent logs, beside secretlint as a second opinion, prints the
 * comparison and writes it into docs/redaction.md. `node scripts/redaction-report.mjs [--print] [DIR…]`: with folders, their
 * files are searched for false positives too, and with `--print` the document is left alone.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { createEngine } from '@secretlint/node';
import { build } from 'esbuild';
import { format, resolveConfig } from 'prettier';

const root = path.join(import.meta.dirname, '..');
const document = path.join(root, 'docs/redaction.md');
const recorded = path.join(root, 'packages/core/tests/fixtures/agents');
const BEGIN = '<!-- measured: begin -->';
const END = '<!-- measured: end -->';

const { redactBytes, redactLine, redactText, plantedSecrets, leaks } = await loadSources();
const secretlint = await createEngine({
  configFileJSON: { rules: [{ id: '@secretlint/secretlint-rule-preset-recommend' }] },
  cwd: root,
  color: false,
  formatter: 'json',
});

const print = process.argv.includes('--print');
const folders = [recorded, ...process.argv.slice(2).filter((argument) => !argument.startsWith('--'))];
const report = [...(await recall()), '', ...(await falsePositives()), '', ...speed()].join('\n');
console.log(report);
if (!print) {
  const text = readFileSync(document, 'utf8');
  const from = text.indexOf(BEGIN) + BEGIN.length;
  const written = `${text.slice(0, from)}\n\n${report}\n\n${text.slice(text.indexOf(END))}`;
  writeFileSync(document, await format(written, { ...(await resolveConfig(document)), parser: 'markdown' }));
}

async function loadSources() {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'savepoint-redaction-'));
  try {
    const outfile = path.join(folder, 'sources.mjs');
    const contents = `
      export * from './packages/core/src/redact/redactor.ts';
      export * from './packages/core/tests/fixtures/redact/corpus.ts';`;
    const stdin = { contents, resolveDir: root, loader: 'ts' };
    await build({ stdin, bundle: true, platform: 'node', format: 'esm', outfile, logLevel: 'error' });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Counts what secretlint reports in a text. */
async function secretlintHits(content, name) {
  const { output } = await secretlint.executeOnContent({ content, filePath: path.join(root, name) });
  const messages = JSON.parse(output).flatMap((file) => file.messages);
  // A URL whose password is gone still looks like one with a password.
  return messages.filter(({ message }) => !message.includes('[REDACTED:')).length;
}

async function recall() {
  const line = (text) => Buffer.from(JSON.stringify({ a: text }));
  const forms = [
    (text) => redactText(text).text,
    (text) => JSON.parse(Buffer.from(redactLine(line(text)).bytes).toString()).a,
    (text) => JSON.parse(JSON.parse(Buffer.from(redactLine(line(JSON.stringify({ b: text }))).bytes).toString()).a).b,
    (text) => Buffer.from(redactLine(line(text).subarray(0, -1)).bytes).toString(),
  ];
  const groups = [
    ['fixed', 'a form of its own'],
    ['named', 'a name or header in front'],
    ['loose', 'nothing but randomness'],
  ];
  const many = Array.from({ length: 20 }, (_, seed) => plantedSecrets(seed + 1)).flat();
  const rows = [];
  for (const [group, what] of groups) {
    const planted = many.filter((entry) => entry.group === group);
    const found = forms.map((form) => planted.filter(({ text, secret }) => !leaks(form(text), secret)).length);
    const once = plantedSecrets().filter((entry) => entry.group === group);
    let other = 0;
    for (const { text } of once) other += (await secretlintHits(text, 'planted.txt')) > 0 ? 1 : 0;
    const cells = [...found.map((n) => percent(n, planted.length)), percent(other, once.length)];
    rows.push(`| ${what} | ${planted.length} | ${cells.join(' | ')} |`);
  }
  let left = 0;
  for (const { text } of plantedSecrets()) left += await secretlintHits(redactText(text).text, 'redacted.txt');
  return [
    '| the secret has | planted | in text | in JSON | in JSON within JSON | in a torn line | secretlint, in text |',
    '|---|--:|--:|--:|--:|--:|--:|',
    ...rows,
    '',
    `In what the redactor leaves of the planted texts, secretlint finds ${left} secrets.`,
  ];
}

function percent(part, whole) {
  return part === whole ? '100%' : `${((part / whole) * 100).toFixed(1)}%`;
}

async function falsePositives() {
  const rows = [];
  for (const [index, folder] of folders.entries()) {
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => path.join(folder, file))
      .filter((file) => statSync(file).isFile());
    let bytes = 0;
    let other = 0;
    const kinds = {};
    for (const file of files) {
      const content = readFileSync(file);
      bytes += content.length;
      for (const { kind } of spansOf(file, content)) kinds[kind] = (kinds[kind] ?? 0) + 1;
      other += await secretlintHits(content.toString('utf8'), path.basename(file));
    }
    const ours = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`);
    const name = index === 0 ? 'the logs in the repository' : 'further recorded files';
    rows.push(`| ${name} | ${files.length} | ${Math.round(bytes / 1000)} kB | ${ours.join(', ') || '0'} | ${other} |`);
  }
  return ['| replaced in | files | size | Savepoint | secretlint |', '|---|--:|--:|--:|--:|', ...rows];
}

function spansOf(file, content) {
  if (!file.endsWith('.jsonl')) return redactBytes(content).spans;
  return linesOf(content).flatMap((line) => redactLine(line).spans);
}

function linesOf(content) {
  const text = content.toString('latin1');
  return text.split('\n').map((line) => Buffer.from(line, 'latin1'));
}

/** Processor time on the largest recorded log, repeated until it is long enough to measure. */
function speed() {
  const logs = readdirSync(recorded, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.jsonl'));
  const contents = logs.map((file) => readFileSync(path.join(recorded, file)));
  const all = Buffer.concat(contents);
  const lines = linesOf(all);
  const rate = (run) => {
    const rounds = Array.from({ length: 60 }, () => {
      const before = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(before);
      return all.length / (user + system);
    }).sort((a, b) => a - b);
    return Math.round(rounds[30]);
  };
  const asLines = rate(() => lines.forEach((line) => redactLine(line)));
  const asText = rate(() => redactBytes(all));
  const machine = `${os.cpus()[0]?.model ?? 'unknown processor'}, Node ${process.versions.node}`;
  return [`Speed without hits (${machine}): ${asLines} MB/s line by line, ${asText} MB/s as plain text.`];
}
