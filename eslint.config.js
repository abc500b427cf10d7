import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** Layers 0–7 of core: no clock and no randomness may be reached from there. */
const PURE = ['base', 'kube', 'apis', 'requirements', 'catalog', 'cluster', 'scheduling', 'disruption'];

const DATE_PARSE = { object: 'Date', property: 'parse', message: 'Read times by epochMsOf, which never gives NaN.' };

export default tseslint.config(
  { ignores: ['**/dist/', '**/coverage/', '**/node_modules/', '.nx/'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      parserOptions: {
        // The programs of the type check, one for most files: a service would check core once for each package that reads it.
        project: ['tsconfig.all.json', 'apps/dashboard/tsconfig.json', 'docs/tsconfig.json'],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      'max-params': ['error', 3],
      complexity: ['error', 10],
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
      'max-lines-per-function': ['error', { max: 50, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      '@typescript-eslint/no-non-null-assertion': 'error',
    },
  },
  {
    // Texts from outside are matched: no pattern may take more than linear time to fail.
    files: ['**/*.ts'],
    ignores: ['**/*.test.ts'],
    plugins: { regexp },
    rules: { 'regexp/no-super-linear-backtracking': 'error' },
  },
  {
    // Nor quadratic time to find where it begins: a pattern is anchored, sticky, or begins with what is no run of itself.
    files: ['packages/{core,runtime,azure,kwok,api-server}/src/**/*.ts', 'apps/*/src/**/*.ts'],
    ignores: ['**/*.test.ts', '**/testing/**', '**/chart/**'],
    plugins: { regexp },
    rules: { 'regexp/no-super-linear-move': 'error' },
  },
  {
    // Times from outside are read in one place, into moments that are finite.
    files: ['packages/{core,azure,kwok}/src/**/*.ts', 'apps/*/src/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-properties': ['error', DATE_PARSE] },
  },
  {
    files: PURE.map((layer) => `packages/core/src/${layer}/**/*.ts`),
    ignores: ['**/*.test.ts'],
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
  {
    // Stories and tables are long on purpose; a `describe` block is one function to the linter.
    files: ['**/*.test.ts', '**/contract/**/*.ts', 'packages/testkit/src/**/*.ts'],
    rules: { 'max-lines-per-function': 'off', 'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }] },
  },
  { files: ['**/*.mjs', '**/*.cjs', '*.js'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['**/*.mjs', '**/*.cjs'],
    languageOptions: { globals: { process: 'readonly', console: 'readonly', URL: 'readonly', module: 'writable' } },
  },
);
