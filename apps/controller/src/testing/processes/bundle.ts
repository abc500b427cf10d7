import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const app = join(import.meta.dirname, '..', '..', '..');
const dist = join(app, 'dist');

/** Nx builds before the tests; somebody who runs jest by hand in a fresh clone has no bundle yet. */
const build = (): void => {
  const workspace = join(app, '..', '..');
  const nx = createRequire(join(workspace, 'package.json')).resolve('nx/bin/nx');
  execFileSync(process.execPath, [nx, 'build', '@karpenter/controller'], { cwd: workspace, stdio: 'pipe' });
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
