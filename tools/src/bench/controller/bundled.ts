import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'tsup';
import deployed from '../../../../apps/controller/tsup.config.ts';
import { repository } from '../../repository.ts';

/** One file that a process can be started from; its folder goes when it is disposed of. */
export interface Bundled extends Disposable {
  readonly path: string;
}

/** Bundles a module as the controller is bundled for its image, from the sources as they are. */
export const bundleModule = async (entry: URL): Promise<Bundled> => {
  const file = fileURLToPath(entry);
  // The controller serves the page of the dashboard, which is not built in a fresh clone.
  execFileSync(process.execPath, ['--no-warnings', repository('apps/dashboard/src/build-page.ts')]);
  const outDir = mkdtempSync(join(tmpdir(), 'karpenter-bench-'));
  if (typeof deployed === 'function' || Array.isArray(deployed)) throw new TypeError('the settings of the bundle are no plain object');
  const { esbuildOptions, ...settings } = deployed;
  await build({
    ...settings,
    ...{ config: false, silent: true, sourcemap: false, entry: [file], outDir },
    outExtension: () => ({ js: '.mjs' }),
    esbuildOptions: (options, context) => {
      esbuildOptions?.(options, context);
      options.conditions = ['@karpenter/source', 'node', 'import', 'default'];
    },
  });
  return { path: join(outDir, basename(file).replace(/\.ts$/, '.mjs')), [Symbol.dispose]: () => rmSync(outDir, { recursive: true }) };
};
