/** The floors of packages/core, lowest first: a room imports only lower floors. `tests/house/` proves that each rule bites. */
const FLOORS = [
  ['base'],
  ['model'],
  ['format', 'trust', 'store', 'worktree', 'agents', 'redact'],
  ['timeline', 'understanding'],
  ['ops'],
  ['open'],
];
const PURE = ['base', 'model', 'format', 'redact', 'timeline', 'understanding', 'ops'];
// Each stands in a decision record (docs/decisions/0008).
const DEPENDENCIES_OF_CORE = ['blake3-jit', 'chrono-node'];

const core = 'packages/core/src';
const rule = (name, from, to, extra = {}) => ({ name, severity: 'error', from, to, ...extra });

const upward = FLOORS.flatMap((rooms, floor) =>
  rooms.map((room) =>
    rule(
      `core/${room}: only lower floors`,
      { path: `^${core}/${room}/` },
      {
        path: `^${core}/`,
        pathNot: [
          `^${core}/${room}/`,
          ...FLOORS.slice(0, floor).flatMap((lower) => lower.map((r) => `^${core}/${r}/`)),
        ],
      },
    ),
  ),
);

module.exports = {
  forbidden: [
    ...upward,
    rule('no-import-cycles', {}, { circular: true }),
    // Siblings only; scripts/folder-cycles.mjs sees a parent and its child.
    rule('no-folder-cycles', { path: '^packages/[^/]+/src' }, { circular: true }, { scope: 'folder' }),
    rule('every-import-resolves', { path: '^packages/' }, { couldNotResolve: true }),
    rule(
      'every-room-has-a-floor',
      { path: `^${core}/` },
      { path: `^${core}/`, pathNot: [`^${core}/index\\.ts$`, ...FLOORS.flat().map((r) => `^${core}/${r}/`)] },
    ),
    rule(
      'only-open-picks-implementations',
      { path: `^${core}/`, pathNot: [`^${core}/open/`, `^${core}/(store|agents)/`, `^${core}/index\\.ts$`] },
      { path: `^${core}/(store|agents)/[^/]+/` },
    ),
    rule(
      'implementations-do-not-know-each-other',
      { path: `^${core}/(store|agents)/([^/]+)/` },
      { path: `^${core}/$1/[^/]+/`, pathNot: [`^${core}/$1/$2/`] },
    ),
    rule(
      'a-port-does-not-know-its-implementations',
      { path: `^${core}/(store|agents)/[^/]+\\.ts$` },
      { path: `^${core}/$1/[^/]+/` },
    ),
    rule(
      'pure-rooms-touch-no-outside',
      { path: `^${core}/(${PURE.join('|')})/` },
      { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    ),
    rule(
      'core-uses-only-its-decided-dependencies',
      { path: `^${core}/` },
      {
        path: 'node_modules/',
        pathNot: [`node_modules/(${DEPENDENCIES_OF_CORE.join('|')})/`, 'node_modules/@types/node/'],
      },
    ),
    rule('the-door-is-not-used-from-inside', { path: `^${core}/[^/]+/` }, { path: `^${core}/index\\.ts$` }),
    rule(
      'faces-use-the-front-door',
      { path: '^packages/(cli|mcp|web|testkit)/' },
      { path: `^${core}/`, pathNot: `^${core}/index\\.ts$` },
    ),
    rule(
      'faces-do-not-know-each-other',
      { path: '^packages/(mcp|web)/' },
      { path: '^packages/(cli|mcp|web)/', pathNot: ['^packages/$1/'] },
    ),
    rule(
      'the-browser-imports-only-types',
      { path: '^packages/web/src/client/' },
      { path: '^packages/core/', dependencyTypesNot: ['type-only'] },
    ),
    rule('core-knows-no-face', { path: `^${core}/` }, { path: '^packages/(?!core/)' }),
    rule('tests-of-core-know-no-face', { path: '^packages/core/tests/' }, { path: '^packages/(?!core/|testkit/)' }),
    rule('nothing-ships-the-testkit', { path: '^packages/(core|cli|mcp|web)/src/' }, { path: '^packages/testkit/' }),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|fixtures)/' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.cjs'],
      // Without `source` an import of another package resolves to its dist/ and no rule sees it.
      conditionNames: ['source', 'import', 'types', 'default'],
      exportsFields: ['exports'],
    },
  },
};
