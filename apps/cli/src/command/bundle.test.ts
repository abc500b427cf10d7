import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import manifest from '../../package.json' with { type: 'json' };
import { sampleJson } from '../testing/run-command.ts';

const main = join(import.meta.dirname, '..', '..', 'dist', 'main.js');
const folder = mkdtempSync(join(tmpdir(), 'karpenter-bundle-'));
const kubectl = process.env['KUBECTL'] ?? 'kubectl';
const hasKubectl = spawnSync(kubectl, ['version', '--client']).status === 0;
if (!hasKubectl) process.stderr.write('kubectl is not installed: the plugin is not tried here; it fails under CI\n');

/** Node as one of an older version would say that it is. */
const asNode = (version: string): string =>
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;

/** `22.12.0`, from the manifest of a dependency. */
const oldestNodeOf = (name: string): string => {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'node_modules', name, 'package.json'), 'utf8');
  const { engines } = JSON.parse(text) as { readonly engines: { readonly node: string } };
  return engines.node.replace('>=', '');
};

afterAll(() => rmSync(folder, { recursive: true }));

describe('the bundled program', () => {
  test('runs beside no node_modules, and reads files', () => {
    writeFileSync(join(folder, 'cluster.json'), sampleJson());
    expect(execFileSync(process.execPath, [main, '--version'], { cwd: folder, encoding: 'utf8' })).toBe(`${manifest.version}\n`);
    const nodes = execFileSync(process.execPath, [main, 'nodes', '--from', 'cluster.json'], { cwd: folder, encoding: 'utf8' });
    expect(nodes).toContain('5 nodes · 5 pods, 2 pending');
  });

  test.each(['20.19.0', '22.11.9'])('on Node.js %s, which is too old › one line and 2', (version) => {
    const { status, stderr } = spawnSync(process.execPath, [`--import=${asNode(version)}`, main, '--version'], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringMatching(/^karpenter needs Node\.js 22\.12 or newer; this is v\S+\n$/),
    });
  });

  test('on the oldest Node.js that commander allows › it runs', () => {
    const oldest = oldestNodeOf('commander');
    expect(oldest).toBe('22.12.0');
    expect(spawnSync(process.execPath, [`--import=${asNode(oldest)}`, main, '--version']).status).toBe(0);
  });

  (hasKubectl || process.env['CI'] === 'true' ? test : test.skip)(
    'as kubectl-karpenter in the path › is a plugin, and kubectl completes it',
    () => {
      symlinkSync(main, join(folder, 'kubectl-karpenter'));
      const script = join(folder, 'kubectl_complete-karpenter');
      writeFileSync(script, execFileSync(process.execPath, [main, 'completion', 'kubectl']));
      chmodSync(script, 0o755);
      const env = { ...process.env, PATH: [folder, dirname(process.execPath), process.env['PATH']].join(delimiter) };
      expect(execFileSync(kubectl, ['karpenter', '--help'], { env, encoding: 'utf8' })).toContain('Usage: karpenter');
      expect(
        execFileSync(kubectl, ['__complete', 'karpenter', 'sav'], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
      ).toMatch(/^savings\n/);
    },
  );
});
