/** Planted secrets, put together at run time so that this repository itself holds none, and a search for them. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FixtureRepository } from '@savepoint/testkit';

const join2 = (...parts: readonly string[]): string => parts.join('');

/** By kind; each is what a leak would be recognised by. */
export const SECRETS: Readonly<Record<string, string>> = {
  aws: join2('AKIA', 'Q3EGRTX7ZB5LNWVD'),
  awsSecret: join2('wJalrXUtnFEMI', '/K7MDENG/', 'bPxRfiCYzzQ9kLmN2pRs'),
  github: join2('ghp_', 'a8Fk2LmQ9xZr4TvB7nYc1DwE6hJs3Gu5PoXi'),
  slack: join2('xoxb-', '2745019283-', '9182736450123-', 'QwErTyUiOpAsDfGhJkLzXcVb'),
  anthropic: join2('sk-ant-', 'api03-', 'R4nD0mLq8Zx7Cv6Bn5Mk4Jh3Gf2Ds1Aq9Wo8Ei7Ru6Ty5Ui4Op3As2Df1Gh0JkAA'),
  jwt: join2(
    'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.',
    'eyJzdWIiOiI4ODQyMTA5Iiwicm9sZSI6ImFkbWluIn0.',
    'k3Qz7vXw9TbLr2NfHj5YpGcDmSe8UoAa',
  ),
  urlPassword: join2('h7Gq', 'Zp2Lw9', 'XtRb'),
  environment: join2('Tn5', 'vKq8Zr', 'Lm3WxYb7Hd'),
  password: join2('correct horse ', 'battery staple ', '77'),
  pem: join2('MIIEpAIBAAKCAQEA7', 'bq0Zx3Kf9TnWv2LmRy8Hc5Dg1Js6Pu4Qe'),
};

const s = (name: string): string => SECRETS[name] ?? '';

/** Sentences of the kind that people and tools write, each with a secret in it. */
export function plantedTexts(): readonly string[] {
  return [
    `aws_access_key_id = ${s('aws')}`,
    `AWS_SECRET_ACCESS_KEY=${s('awsSecret')}`,
    `git clone https://x:${s('github')}@github.com/a/b.git`,
    `curl -H "Authorization: Bearer ${s('jwt')}" https://api.example.org`,
    `SLACK_BOT_TOKEN=${s('slack')}`,
    `export ANTHROPIC_API_KEY=${s('anthropic')}`,
    `postgres://admin:${s('urlPassword')}@db.example.org:5432/prod`,
    `DB_PASSWORD="${s('password')}"`,
    `API_TOKEN=${s('environment')}`,
    `-----BEGIN RSA PRIVATE KEY-----\n${s('pem')}\nzz09Ab+/==\n-----END RSA PRIVATE KEY-----`,
  ];
}

/** Returns which secrets stand anywhere in the objects, packs, refs, journals, caches and temporary files of a store. */
export function leakedSecrets(fixture: FixtureRepository, folders: readonly string[]): readonly string[] {
  const args = ['cat-file', '--batch-all-objects', '--batch', '--unordered'];
  const found = new Set(secretsIn(fixture.run({ args }).stdout, 'objects'));
  const refs = fixture.run({ args: ['for-each-ref', 'refs/savepoint/'] }).stdout;
  for (const leak of secretsIn(refs, 'refs')) found.add(leak);
  for (const folder of folders) {
    for (const file of filesBelow(folder)) for (const leak of secretsIn(readFileSync(file), file)) found.add(leak);
  }
  return [...found];
}

function secretsIn(bytes: Buffer, where: string): readonly string[] {
  return Object.entries(SECRETS)
    .filter(([, secret]) => bytes.includes(secret) || bytes.includes(JSON.stringify(secret).slice(1, -1)))
    .map(([name]) => `${name} in ${where}`);
}

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}
