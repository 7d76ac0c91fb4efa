import { describe, expect, test } from 'vitest';
import { redactLine, redactText } from '../../src/redact/redactor.js';
import { BASE62, BASE64, BASE64URL, drawFrom, HEX } from '../fixtures/redact/random.js';

const draw = drawFrom(42);
const blob = draw(BASE64, 4000);
const certificate = Array.from({ length: 5 }, () => draw(BASE64, 64)).join('\n');
const uuid = [8, 4, 4, 4, 12].map((n) => draw(HEX, n)).join('-');

/** Texts that look like secrets to a careless eye. */
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  'digests and ids': [
    draw(HEX, 40),
    draw(HEX, 64),
    uuid,
    `commit ${draw(HEX, 40)}\nindex ${draw(HEX, 7)}..${draw(HEX, 7)} 100644`,
    `"integrity": "sha512-${draw(BASE64, 86)}=="`,
    `resolved "https://registry.example.com/x/-/x-1.2.3.tgz#${draw(HEX, 40)}"`,
    `golang.org/x/sys v0.1.0 h1:${draw(BASE64, 43)}=`,
    `SHA256:${draw(BASE64, 43)} bob@host (ED25519)`,
    `toolu_${draw(BASE62, 24)} msg_${draw(BASE62, 24)} req_${draw(BASE62, 24)} call_${draw(BASE62, 24)}`,
    `ses_${draw(BASE62, 26)} and evt_${draw(BASE62, 26)}`,
    `prefix sha256-${draw(BASE64, 43)}=`,
  ],
  'names, paths and places': [
    '/home/dev/repo/packages/core/src/store/git/git-objects-reader.ts:120',
    'getUserAccountSettingsByIdentifierV2WithOptions AbstractSingletonProxyFactoryBean2Impl3',
    'the-quick-brown-fox-jumps-over-the-lazy-dog-2024-11-21',
    'C:\\Users\\Bob\\AppData\\Local\\Temp\\tokens\\new\\password.txt',
    `https://docs.example.com/document/d/${draw(BASE64URL, 44)}/edit#heading`,
    `https://host.example.com:8080/@scope/pkg and http://localhost:4873/@a/b`,
    'npm_config_registry npm_lifecycle_event sk-loading-indicator-wrapper-element hf_hub_download_from_the_web_page',
    'version 1.2.3-beta.4+build.20241121 v20.20.2-linux-x64',
    'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI' + draw(BASE64, 40) + ' bob@host',
    'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft',
  ],
  data: [
    `data:image/png;base64,${draw(BASE64, 120)}`,
    `![x](data:image/png;base64,${blob})`,
    `-----BEGIN CERTIFICATE-----\n${certificate}\n-----END CERTIFICATE-----`,
    blob,
  ],
  placeholders: [
    ...[
      'PASSWORD=',
      'PASSWORD=${DB_PASSWORD}',
      'PASSWORD=$DB_PASSWORD',
      'password: "<your password>"',
      'token: "***"',
      'API_KEY=xxxxxxxx',
    ],
    ...[
      'TOKEN=$(cat token.txt)',
      'password: {{ vault_password }}',
      'secret: ${{ secrets.DEPLOY }}',
      'api_key: your-api-key-here',
    ],
    ...[
      '--password <password>',
      'Authorization: Bearer <token>',
      'Authorization: Bearer $TOKEN',
      'postgres://user:${PASS}@host/db',
    ],
    ...['https://user:<password>@host', 'password: null', 'token=true', 'secret: undefined', 'PASSWORD=%PASSWORD%'],
  ],
  'code and prose': [
    'const token = await getToken();',
    'const password = req.body.password;',
    'function login(user: string, password: string): Promise<void> {}',
    'if (token === undefined) throw new Error("no token");',
    'password = os.environ["DB_PASSWORD"]',
    'const { token, secret } = config;',
    'return { token, password: input.password };',
    'max_tokens: 4096, input_tokens: 1200, output_tokens=350',
    'The password is required and must be at least 12 characters.',
    'Use --token to pass a token, or --password-stdin.',
    'Basic authentication with a bearer token is described below.',
    'token: Token;\nsecret: Secret\npassword: Password',
    'const REGEX = /-----BEGIN PRIVATE KEY-----/;',
    'tokens: [1, 2, 3], tokenCount: 12, passwordField: "pw", passwordHash: "x"',
    "case 'string': token = 'punctuation';",
    'PWD=/home/dev/repo OLDPWD=/home/dev',
  ],
};

describe('what is no secret stays', () => {
  for (const [name, texts] of Object.entries(HARMLESS)) {
    test(`${name} are left alone in text, in JSON and in torn JSON`, () => {
      for (const text of texts) {
        expect(redactText(text)).toEqual({ text, kinds: {} });
        const line = Buffer.from(JSON.stringify({ message: { content: text } }));
        expect(redactLine(line)).toEqual({ bytes: line, spans: [], readable: true });
        const torn = line.subarray(0, -2);
        expect(redactLine(torn)).toEqual({ bytes: torn, spans: [], readable: false });
      }
    });
  }

  test('fields that a replay needs stay, in JSON, in torn JSON and in JSON within JSON', () => {
    const signature = draw(BASE64, 400);
    const record = {
      uuid,
      parentUuid: uuid,
      requestId: `req_${draw(BASE62, 24)}`,
      id: draw(BASE64URL, 43),
      responseId: draw(BASE64URL, 32),
      tool_use_id: draw(BASE62, 32),
      commit: draw(BASE62, 40),
      sha256: draw(BASE64, 43),
      integrity: draw(BASE64, 64),
      etag: draw(BASE64URL, 40),
      cursor: draw(BASE64URL, 60),
      signature: draw(BASE64, 120),
      thoughtSignature: draw(BASE64URL, 90),
      thinking: { type: 'thinking', signature },
      encrypted_content: draw(BASE64URL, 180),
      reasoning_opaque: draw(BASE64, 64),
      source: { type: 'base64', media_type: 'image/png', data: draw(BASE64, 64) },
      usage: { input_tokens: 12345678, output_tokens: 9, max_tokens: 4096, cache_read_input_tokens: 0 },
      tokens: { total: 10500, input: 3 },
      timestamp: '2026-11-21T01:42:04.000Z',
      model: 'claude-opus-4-5-20251101',
    };
    const line = Buffer.from(JSON.stringify(record));
    expect(redactLine(line)).toEqual({ bytes: line, spans: [], readable: true });
    const torn = line.subarray(0, -1);
    expect(redactLine(torn)).toEqual({ bytes: torn, spans: [], readable: false });
    const nested = Buffer.from(JSON.stringify({ output: JSON.stringify(record) }));
    expect(redactLine(nested)).toEqual({ bytes: nested, spans: [], readable: true });
  });

  test('keys of usage numbers and pages are no secrets', () => {
    for (const key of [
      'next_page_token',
      'nextPageToken',
      'eos_token',
      'token_type',
      'tokenCount',
      'passwordPolicy',
      'secretName',
    ]) {
      expect(redactText('some value', { key }).kinds).toEqual({});
    }
  });
});
