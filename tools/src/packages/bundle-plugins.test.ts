import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { build, type Options } from 'tsup';
import { requiredBuiltins, usedOfLibraries } from './bundle-plugins.ts';
import { standaloneBanner } from './standalone-banner.ts';

/** What a program writes once it is bundled with the plugins. */
const outputOf = async (source: string, esbuildPlugins: NonNullable<Options['esbuildPlugins']>): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'bundle-plugins-'));
  try {
    const entry = join(folder, 'entry.ts');
    writeFileSync(entry, source);
    const outDir = join(folder, 'dist');
    const settings = {
      noExternal: [/.*/],
      banner: { js: standaloneBanner('24') },
      outExtension: () => ({ js: '.mjs' }),
      removeNodeProtocol: false,
    };
    await build({
      config: false,
      silent: true,
      entry: [entry],
      format: ['esm'],
      target: 'node24',
      outDir,
      esbuildPlugins,
      ...settings,
    });
    return execFileSync(process.execPath, [join(outDir, 'entry.mjs')], { encoding: 'utf8' }).trim();
  } finally {
    rmSync(folder, { recursive: true });
  }
};

const LOADED = 'process.moduleLoadList.filter((name) => /undici|http2|webstreams/.test(name)).length';

test('when a program imports node:http › what its exports would load is not loaded', async () => {
  const source = `import http, { createServer } from 'node:http'; import * as paths from 'path';
    console.log([createServer === http.createServer, paths.join('a', 'b'), ${LOADED}].join(' '));`;
  expect(await outputOf(source, [requiredBuiltins])).toBe('true a/b 0');
});

test('when a program imports undici › nothing of it is loaded, and what uses it throws', async () => {
  const source = `import { Agent } from 'undici';
    try { new Agent(); } catch ({ message }) { console.log([message, ${LOADED}].join(': ')); }`;
  expect(await outputOf(source, [requiredBuiltins, usedOfLibraries])).toBe('the bundle leaves out this part of a library: 0');
});
