import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = new URL('../../../', import.meta.url);
const jest = fileURLToPath(new URL('node_modules/jest/bin/jest.js', root));
const config = `
import preset from '${new URL('jest.preset.mjs', root).href}';
export default { ...preset, testMatch: ['**/*.fuzz.mjs'], setupFilesAfterEnv: [], transform: {} };
`;

/** A fuzz test whose third case does this. */
const testWith = (hang: string): string => `
import { test } from '@jest/globals';
import fc from 'fast-check';
let cases = 0;
test('a planted hang', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async () => {
      cases += 1;
      if (cases === 3) ${hang};
    }),
  );
});
`;

/** Runs Jest as all projects do, on one file outside of them. */
const runOf = (hang: string) => {
  const rootDir = mkdtempSync(join(tmpdir(), 'case-watchdog-'));
  writeFileSync(join(rootDir, 'planted.fuzz.mjs'), testWith(hang));
  writeFileSync(join(rootDir, 'jest.config.mjs'), config);
  const args = ['--experimental-vm-modules', jest, '--rootDir', rootDir];
  const env = { ...process.env, CASE_LIMIT_MS: '300', LAWS_SEED: '77' };
  const run = spawnSync(process.execPath, args, { cwd: rootDir, env, encoding: 'utf8', timeout: 50_000, killSignal: 'SIGTERM' });
  rmSync(rootDir, { recursive: true });
  return run;
};

const NAMED = /a case does not end: seed 77, case 3 of "a planted hang" in .*planted\.fuzz\.mjs/;

test.each([
  { what: 'computes', hang: 'for (;;);' },
  { what: 'waits', hang: 'await new Promise(() => {})' },
])('a case that $what without end ends the run of its tests, and is named with its test and seed', ({ hang }) => {
  const { signal, stderr } = runOf(hang);
  expect(stderr).toMatch(NAMED);
  expect(signal).toBe('SIGKILL');
});

test('cases that end are left alone, however many there are', () => {
  const { status, stderr } = runOf('return');
  expect(stderr).not.toContain('does not end');
  expect(status).toBe(0);
});
