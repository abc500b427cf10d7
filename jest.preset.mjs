import { fileURLToPath } from 'node:url';

/**
 * Nx builds a project's packages before its tests (`dependsOn` in nx.json), so they are loaded as bundles: a test file of the controller
 * loads in 1.1 s of CPU where hundreds of sources take 2.0. Started by hand, jest takes the sources: no build can be stale.
 */
const isBuilt = process.env.NX_TASK_TARGET_TARGET === 'test';
const conditions = isBuilt ? [] : ['@karpenter/source'];

/** Jest in ESM mode: swc strips the types. */
export default {
  testEnvironment: fileURLToPath(new URL('jest.environment.mjs', import.meta.url)),
  testEnvironmentOptions: { customExportConditions: [...conditions, 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' }, experimental: { keepImportAttributes: true } },
        module: { type: 'es6' },
      },
    ],
  },
  testMatch: ['<rootDir>/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/dist/'],
  modulePathIgnorePatterns: isBuilt ? [] : ['/dist/'],
  moduleNameMapper: { '^fast-check$': fileURLToPath(new URL('jest.laws.mjs', import.meta.url)) },
  setupFilesAfterEnv: [fileURLToPath(new URL('tools/src/packages/searched-logs.ts', import.meta.url))],
  testSequencer: fileURLToPath(new URL('jest.sequencer.mjs', import.meta.url)),
  maxWorkers: 2,
  // No test is about how long it takes; this ends what hangs, on a busy machine too.
  testTimeout: 60_000,
};
