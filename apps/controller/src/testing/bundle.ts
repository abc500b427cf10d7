import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const app = join(import.meta.dirname, '..', '..');

/** The file that the container image runs. */
export const bundlePath = join(app, 'dist', 'main.js');

/** Builds the bundle when there is none; Nx builds it before the tests, and then it is fresh. */
export const ensureBundle = (): void => {
  if (existsSync(bundlePath)) return;
  const tsup = join(app, '..', '..', 'node_modules', 'tsup', 'dist', 'cli-default.js');
  for (const folder of ['packages/runtime', 'packages/core', 'packages/azure', 'apps/controller']) {
    execFileSync(process.execPath, [tsup], { cwd: join(app, '..', '..', folder), stdio: 'pipe' });
  }
};
