import { scopes } from './tools/mutation/scopes.mjs';

const scope = process.env['MUTATION_SCOPE'] ?? 'requirements';

/** Mutation testing of core's layers 3 and 6, one scope at a time: `MUTATION_SCOPE=topology pnpm mutate`. */
export default {
  plugins: ['./tools/mutation/in-process-runner.mjs'],
  testRunner: 'in-process',
  testRunnerNodeArgs: ['--conditions=@karpenter/source', '--no-warnings'],
  coverageAnalysis: 'perTest',
  mutate: [...scopes[scope].mutate, '!**/*.test.ts', '!**/index.ts'],
  ignorePatterns: ['apps', 'docs', 'tools/{data,src}', 'packages/azure', 'packages/*/dist', '.nx'],
  // A mutant of a constant is alive from the first import on, and would have to load every test again.
  ignoreStatic: true,
  concurrency: Number(process.env['MUTATION_CONCURRENCY'] ?? 2),
  // The runner stops what never ends, by the time that it computed; this is for what it cannot stop.
  timeoutMS: 180_000,
  reporters: ['clear-text', 'progress-append-only', 'json'],
  jsonReporter: { fileName: `node_modules/.cache/stryker/${scope}.json` },
  clearTextReporter: { logTests: false, reportTests: false },
  incremental: true,
  incrementalFile: `node_modules/.cache/stryker/${scope}-incremental.json`,
};
