import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

/** Layers 0–7 of core: no clock and no randomness may be reached from there. */
const PURE = ['base', 'kube', 'apis', 'requirements', 'catalog', 'cluster', 'scheduling', 'disruption'];

export default tseslint.config(
  { ignores: ['**/dist/', '**/coverage/', '**/node_modules/', '.nx/'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
    languageOptions: {
      parserOptions: {
        projectService: {
          allowDefaultProject: ['*.js', '*.mjs', '*.cjs', 'packages/*/*.mjs', 'apps/*/*.mjs', 'tools/*.mjs', 'tools/bootstrap/*.mjs'],
          maximumDefaultProjectFileMatchCount_THIS_WILL_SLOW_DOWN_LINTING: 40,
        },
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
    files: PURE.map((layer) => `packages/core/src/${layer}/**/*.ts`),
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
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
