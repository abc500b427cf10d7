import parser from '@typescript-eslint/parser';
import regexp from 'eslint-plugin-regexp';

/** Layers 0–7 of core: no clock and no randomness may be reached from there. */
const PURE = ['base', 'kube', 'apis', 'requirements', 'catalog', 'cluster', 'scheduling', 'disruption'];

const DATE_PARSE = { object: 'Date', property: 'parse', message: 'Read times by epochMsOf, which never gives NaN.' };

/** What oxlint cannot check, of sources that are no tests. All other rules stand in `.oxlintrc.json`. */
export default [
  { ignores: ['**/dist/', '**/coverage/', '**/node_modules/', '.nx/', '**/*.test.ts', '**/*.{js,cjs,mjs}'] },
  {
    // Texts from outside are matched: no pattern may take more than linear time to fail.
    files: ['**/*.ts'],
    linterOptions: { noInlineConfig: true },
    languageOptions: { parser, parserOptions: { jsDocParsingMode: 'none' } },
    plugins: { regexp },
    rules: { 'regexp/no-super-linear-backtracking': 'error' },
  },
  {
    // Nor quadratic time to find where it begins: a pattern is anchored, sticky, or begins with what is no run of itself.
    files: ['packages/{core,runtime,azure,kwok,api-server}/src/**/*.ts', 'apps/*/src/**/*.ts'],
    ignores: ['**/testing/**', '**/chart/**'],
    plugins: { regexp },
    rules: { 'regexp/no-super-linear-move': 'error' },
  },
  {
    // Times from outside are read in one place, into moments that are finite.
    files: ['packages/{core,azure,kwok}/src/**/*.ts', 'apps/*/src/**/*.ts'],
    rules: { 'no-restricted-properties': ['error', DATE_PARSE] },
  },
  {
    files: PURE.map((layer) => `packages/core/src/${layer}/**/*.ts`),
    rules: {
      'no-restricted-properties': [
        'error',
        DATE_PARSE,
        { object: 'Date', property: 'now', message: 'The pure half takes `now` as an argument.' },
        { object: 'Math', property: 'random', message: 'Same snapshot, same plan: no randomness here.' },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'The pure half takes `now` as an argument.' },
        { selector: 'AwaitExpression', message: 'The pure half is synchronous.' },
      ],
    },
  },
];
