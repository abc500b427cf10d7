import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { repository } from './repository.ts';

const read = (path: string): string => readFileSync(repository(path), 'utf8');

const engineOf = (path: string): string | undefined =>
  (JSON.parse(read(path)) as { readonly engines?: { readonly node?: string } }).engines?.node;

test('F15: every package needs the Node that the bootstrap brings, and a checkout the Node that pages name', () => {
  const [, major, minor] = /MINIMUM_NODE = \[(\d+), (\d+)\]/.exec(read('tools/bootstrap/run.mjs')) ?? [];
  const manifests = globSync(['packages/*/package.json', 'apps/*/package.json'], { cwd: repository('.') });
  expect(manifests.length).toBeGreaterThan(5);
  expect(new Set(manifests.map(engineOf))).toEqual(new Set([`>=${String(major)}.${String(minor)}`]));
  expect(engineOf('package.json')).toBe('>=20');
  expect(read('CONTRIBUTING.md')).toContain('Node.js 20 or newer');
  expect(read('docs/getting-started.md')).toContain('In a checkout of this repository, with Node.js 20 or newer');
});

test('a checkout runs the demo, the command line and the tests with no dependency installed before', () => {
  const { status, stderr } = spawnSync(process.execPath, [repository('tools/bootstrap/run.mjs'), 'none'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringContaining('one of: demo, karpenter, lint, typecheck, test')]);
  const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  expect(scripts['karpenter']).toBe('node tools/bootstrap/run.mjs karpenter');
  for (const page of ['docs/convert.md', 'docs/cli.md']) expect(read(page)).toContain('npm run --silent karpenter -- convert old');
});
