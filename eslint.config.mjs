/** The habits of this house as lint rules. Every ban says what to do instead; nothing is a warning. */
import path from 'node:path';
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const ANY_TS = ['**/*.ts'];
const TESTS = ['packages/*/tests/**/*.ts', 'tests/**/*.ts'];
const BENCHES = ['bench/**/*.ts', 'packages/*/bench/**/*.ts', 'tests/slow/**/*.ts'];
const SCRIPTS = ['scripts/**/*.ts', '*.config.ts'];
const WORKSHOP = ['packages/testkit/src/**/*.ts', ...TESTS, ...BENCHES, ...SCRIPTS];
const TERMINAL = ['packages/cli/src/main.ts', 'packages/cli/src/terminal/**/*.ts', 'packages/cli/src/terminal.ts'];
const SYSTEM_CLOCK = ['packages/core/src/base/**/*.ts', 'packages/core/src/open/**/*.ts'];
const OUTSIDE_ROOMS = [
  ...['store/git', 'worktree', 'trust', 'agents', 'open'].map((room) => `packages/core/src/${room}/**/*.ts`),
  'packages/cli/**/*.ts',
];

const BAD_WORD = /^(?:utils?|utilities|common|misc|helpers?|managers?|services?|processors?)$/i;
const BAD_NAME = '/(?:Manager|Service|Helper|Helpers|Util|Utils|Processor)$/';

/** Names of files and folders say which noun they belong to, and each package has one door. */
const fileName = {
  meta: { type: 'problem', schema: [], messages: { word: '{{text}}', door: '{{text}}' } },
  create(context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join('/');
    return {
      Program(node) {
        const words = file.split('/').flatMap((part) => part.split(/[-_.]|(?<=[a-z])(?=[A-Z])/));
        const bad = words.find((word) => BAD_WORD.test(word));
        if (bad !== undefined) {
          const text = `"${bad}" says nothing: name the file after the noun it owns, and put a function beside its only caller.`;
          context.report({ node, messageId: 'word', data: { text } });
        }
        const door = /^packages\/[^/]+\/src\/index\.ts$/.test(file);
        if (/(?:^|\/)index\.[cm]?ts$/.test(file) && !door) {
          const text =
            'The only index.ts is the door of a package (packages/*/src/index.ts): import from the file itself.';
          context.report({ node, messageId: 'door', data: { text } });
        }
        if (/^packages\/core\/src\/[^/]+$/.test(file) && !door) {
          const text = 'Nothing stands at the root of core/src but the door: put the file into its room.';
          context.report({ node, messageId: 'door', data: { text } });
        }
      },
    };
  },
};

const BANS = {
  defaultExport: {
    selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
    message: 'No default exports: export by name, so that one thing has one name everywhere.',
  },
  badName: {
    selector: `:matches(ClassDeclaration, TSInterfaceDeclaration, TSTypeAliasDeclaration, FunctionDeclaration, VariableDeclarator)[id.name=${BAD_NAME}]`,
    message: 'Manager, Service, Helper, Util and Processor say nothing: use the noun (docs/glossary.md) or the verb.',
  },
  plainError: {
    selector: 'ThrowStatement > NewExpression[callee.name=/Error$/]',
    message:
      'Throw contextError(code, data): every failure is one entry below base/errors/, which base/error-table.ts gathers.',
  },
  dateNow: {
    selector: 'MemberExpression[object.name="Date"][property.name="now"]',
    message: 'Take the time from a Clock (base/clock.ts) that was handed in, so that a test can fix it.',
  },
  newDate: {
    selector: ':matches(NewExpression, CallExpression)[callee.name="Date"][arguments.length=0]',
    message: 'Take the time from a Clock (base/clock.ts) that was handed in, so that a test can fix it.',
  },
  mathRandom: {
    selector: 'MemberExpression[object.name="Math"][property.name="random"]',
    message:
      'Take random digits from a Random (base/clock.ts) that was handed in: it is cryptographic and can be fixed.',
  },
  processBeyondLocks: {
    selector:
      'Identifier[name="process"]:not(MemberExpression[property.name=/^(?:pid|kill|hrtime|geteuid)$/] > Identifier)',
    message:
      'The store knows processes only as holders of locks (pid, kill, hrtime) and owners (geteuid): take what you need as an argument.',
  },
};
const CLOCK_BANS = [BANS.dateNow, BANS.newDate, BANS.mathRandom];

const PROCESS_GLOBAL = {
  name: 'process',
  message:
    'Only the terminal (packages/cli/src/main.ts, terminal/) knows the process: take what you need as an argument.',
};
const PERFORMANCE_GLOBAL = {
  name: 'performance',
  message: 'Take the time from a Clock (base/clock.ts) that was handed in.',
};
const CRYPTO_GLOBAL = {
  name: 'crypto',
  message: 'Import what you need from node:crypto; random digits come from a Random.',
};

const PROCESS_IMPORT = { regex: '^(?:node:)?process$', message: PROCESS_GLOBAL.message };
const CLOCK_IMPORTS = [
  {
    regex: '^(?:node:)?crypto$',
    importNamePattern: '^(?:random(?:Bytes|UUID|Int|Fill|FillSync)|webcrypto)$',
    message: 'Take random digits from a Random (base/clock.ts) that was handed in, so that a test can fix them.',
  },
  { regex: '^(?:node:)?perf_hooks$', message: PERFORMANCE_GLOBAL.message },
];
const OUTSIDE_IMPORT = {
  regex: '^(?:node:)?(?:fs|child_process)(?:/.*)?$',
  message: 'Files and programs are touched in store/git, worktree, trust, agents, open and the cli only: use a port.',
};

const EAGER_PROMISES = {
  regex: '^(?:node:)?fs/promises$',
  message: 'Name fs.promises where it is used: loading it takes a millisecond of every start.',
};
const EAGER_INTL = {
  property: 'toLocaleString',
  message: 'It loads the data of all languages, 10 ms of a start: format the few forms that are needed.',
};

/** One set of bans; a later block of a flat configuration replaces the whole rule, so each block states all of it. */
function bans({ syntax, globals, imports }) {
  // A bare 'error' would keep the options of the block before.
  const list = (rule) => (rule.length === 0 ? 'off' : ['error', ...rule]);
  return {
    'no-restricted-syntax': ['error', BANS.defaultExport, BANS.badName, ...syntax],
    'no-restricted-globals': list(globals),
    'no-restricted-imports': ['error', { patterns: [EAGER_PROMISES, ...imports] }],
    'no-restricted-properties': ['error', EAGER_INTL],
  };
}

const STRICT = {
  syntax: [BANS.plainError, ...CLOCK_BANS],
  globals: [PROCESS_GLOBAL, PERFORMANCE_GLOBAL, CRYPTO_GLOBAL],
  imports: [PROCESS_IMPORT, ...CLOCK_IMPORTS, OUTSIDE_IMPORT],
};

const NODE_GLOBALS = Object.fromEntries(
  [
    'process',
    'console',
    'Buffer',
    'URL',
    'setTimeout',
    'clearTimeout',
    'performance',
    'module',
    'require',
    '__dirname',
  ].map((name) => [name, 'readonly']),
);

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/coverage/**', '**/fixtures/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    files: ANY_TS,
    extends: [tseslint.configs.recommendedTypeChecked],
    plugins: { house: { rules: { 'file-name': fileName } } },
    languageOptions: { parserOptions: { project: ['tsconfig.check.json'], tsconfigRootDir: import.meta.dirname } },
    rules: {
      ...bans(STRICT),
      'house/file-name': 'error',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/max-params': ['error', { max: 3 }],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-console': 'error',
      eqeqeq: 'error',
      // An async function without await turns a throw into a rejection, which is what the ports promise.
      '@typescript-eslint/require-await': 'off',
      // File names and logs are hostile: the expressions that find control characters in them are meant.
      'no-control-regex': 'off',
    },
  },
  {
    files: SYSTEM_CLOCK,
    rules: bans({
      syntax: [BANS.plainError],
      globals: [PROCESS_GLOBAL],
      imports: [PROCESS_IMPORT, OUTSIDE_IMPORT],
    }),
  },
  { files: OUTSIDE_ROOMS, rules: bans({ ...STRICT, imports: [PROCESS_IMPORT, ...CLOCK_IMPORTS] }) },
  {
    files: ['packages/core/src/open/**/*.ts'],
    rules: bans({ syntax: [BANS.plainError], globals: [PROCESS_GLOBAL], imports: [PROCESS_IMPORT] }),
  },
  {
    // A lock names the process that holds it, asks whether that one is alive, and waits by a clock that never jumps.
    files: ['packages/core/src/store/git/**/*.ts'],
    rules: bans({
      syntax: [...STRICT.syntax, BANS.processBeyondLocks],
      globals: [PERFORMANCE_GLOBAL, CRYPTO_GLOBAL],
      imports: [PROCESS_IMPORT, ...CLOCK_IMPORTS],
    }),
  },
  // The two files that every rule about errors and time points to.
  {
    files: ['packages/core/src/base/errors.ts'],
    rules: { 'no-restricted-syntax': ['error', BANS.defaultExport, BANS.badName] },
  },
  {
    files: TERMINAL,
    rules: { ...bans({ syntax: [BANS.plainError], globals: [], imports: [] }), 'no-console': 'off' },
  },
  {
    files: ['packages/cli/src/commands/**/*.ts'],
    rules: { 'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }] },
  },
  {
    files: WORKSHOP,
    rules: { ...bans({ syntax: [], globals: [], imports: [] }), 'no-console': 'off' },
  },
  {
    files: [...TESTS, ...BENCHES, 'packages/testkit/src/*-conformance.ts'],
    rules: {
      // One describe() is one function.
      'max-lines-per-function': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // Tools read these by their default export.
    files: ['**/*.config.ts'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  { files: ['**/*.mjs', '**/*.cjs', '**/*.js'], languageOptions: { globals: NODE_GLOBALS } },
);
