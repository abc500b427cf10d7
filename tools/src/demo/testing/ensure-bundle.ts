import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { repository } from '../../repository.ts';

/**
 * Builds the controller's bundle, and what goes into it, when there is none; Nx builds it before the tests, and then it
 * is fresh.
 */
export const ensureBundle = (): void => {
  if (existsSync(repository('apps/controller/dist/main.mjs'))) return;
  execFileSync(process.execPath, ['--no-warnings', repository('apps/dashboard/src/build-page.ts')], { stdio: 'pipe' });
  for (const folder of ['packages/runtime', 'packages/core', 'packages/azure', 'packages/kwok', 'apps/controller']) {
    execFileSync(process.execPath, [repository('node_modules/tsup/dist/cli-default.js')], { cwd: repository(folder), stdio: 'pipe' });
  }
};
