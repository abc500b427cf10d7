import { fileURLToPath } from 'node:url';

/**
 * Jest in ESM mode: swc strips the types, and workspace packages resolve to their sources through the `@karpenter/source` condition,
 * so that a test never runs against a stale build.
 */
export default {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['@karpenter/source', 'node', 'node-addons'] },
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
  modulePathIgnorePatterns: ['/dist/'],
  setupFiles: [fileURLToPath(new URL('jest.laws.mjs', import.meta.url))],
  setupFilesAfterEnv: [fileURLToPath(new URL('tools/src/packages/searched-logs.ts', import.meta.url))],
  maxWorkers: 2,
  // No test is about how long it takes; this ends what hangs, on a busy machine too.
  testTimeout: 60_000,
};
