import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { build, type Options } from 'tsup';
import { repository } from '../repository.ts';
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
    const paths = {
      esbuildOptions: (options: { nodePaths?: string[] }) => void (options.nodePaths = [repository('packages/runtime/node_modules')]),
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
      ...paths,
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

test('when a program requests through an agent of undici › it answers, also after the rest was left out', async () => {
  const source = `import { createServer } from 'node:http'; import { Agent } from 'undici';
    const server = createServer((request, response) => request.pipe(response));
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
    const agent = new Agent({ allowH2: false });
    const origin = 'http://127.0.0.1:' + (server.address() as { port: number }).port;
    const { body } = await agent.request({ origin, path: '/', method: 'POST', body: 'echo' });
    console.log([await body.text(), ${LOADED}].join(' '));
    await agent.close(); server.close();`;
  expect(await outputOf(source, [requiredBuiltins, usedOfLibraries])).toBe('echo 0');
});
