import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { repository } from '../../repository.ts';

const bundle = (folder: string): void =>
  void execFileSync(process.execPath, [repository('node_modules/tsup/dist/cli-default.js')], { cwd: repository(folder), stdio: 'pipe' });

/**
 * Builds the bundles of the controller and of the demo, and what goes into them, where there is none; Nx builds them
 * before the tests, and then they are fresh.
 */
export const ensureBundles = (): void => {
  if (!existsSync(repository('tools/dist/demo.js'))) bundle('tools');
  if (existsSync(repository('apps/controller/dist/main.mjs'))) return;
  execFileSync(process.execPath, ['--no-warnings', repository('apps/dashboard/src/build-page.ts')], { stdio: 'pipe' });
  for (const folder of ['packages/runtime', 'packages/core', 'packages/azure', 'packages/kwok', 'apps/controller']) bundle(folder);
};
