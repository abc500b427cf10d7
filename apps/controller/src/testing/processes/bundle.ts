import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const app = join(import.meta.dirname, '..', '..', '..');
const dist = join(app, 'dist');

/** Nx builds before the tests; somebody who runs jest by hand in a fresh clone has no bundle yet. */
const build = (): void => {
  const tsup = join(app, '..', '..', 'node_modules', 'tsup', 'dist', 'cli-default.js');
  for (const folder of ['packages/runtime', 'packages/core', 'packages/azure', 'packages/kwok', 'apps/controller']) {
    execFileSync(process.execPath, [tsup], { cwd: join(app, '..', '..', folder), stdio: 'pipe' });
  }
};

/** The program of the container image. */
export interface Bundle extends Disposable {
  readonly path: string;
}

/** A copy of the bundle, so that a build which cleans its folder meanwhile takes nothing away. */
export const copiedBundle = (): Bundle => {
  if (!existsSync(join(dist, 'main.mjs'))) build();
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-bundle-'));
  cpSync(dist, folder, { recursive: true, filter: (path) => !path.endsWith('.map') });
  return { path: join(folder, 'main.mjs'), [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
};
