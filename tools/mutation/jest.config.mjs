import preset from '../../jest.preset.mjs';
import { scopes } from './scopes.mjs';

const { tests } = scopes[process.env['MUTATION_SCOPE'] ?? 'requirements'];

/** Packages are mapped by name: in the copy that Stryker mutates, their links still lead to the original. */
export default {
  ...preset,
  rootDir: '../..',
  testMatch: tests.map((pattern) => `<rootDir>/${pattern}`),
  testPathIgnorePatterns: [...preset.testPathIgnorePatterns, 'simulate[.]laws'],
  moduleNameMapper: { '^@karpenter/(core|runtime|simulator|testkit)$': '<rootDir>/packages/$1/src/index.ts' },
  maxWorkers: 1,
};
