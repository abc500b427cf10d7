import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { repository } from '../repository.ts';

interface Manifest {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

const STORE = repository('node_modules/.pnpm');

/** The folders of packages in one entry of pnpm's store, without links to others. */
const packagesIn = (entry: string): readonly string[] => {
  const root = join(STORE, entry, 'node_modules');
  if (!existsSync(root)) return [];
  const folders = readdirSync(root, { withFileTypes: true }).filter((each) => each.isDirectory());
  return folders.flatMap(({ name }) =>
    name.startsWith('@')
      ? readdirSync(join(root, name), { withFileTypes: true })
          .filter((each) => each.isDirectory())
          .map((each) => join(root, name, each.name))
      : [join(root, name)],
  );
};

/** pnpm runs these when it installs a package, or node-gyp where there is a `binding.gyp`. */
const runsScript = (folder: string): boolean => {
  const { scripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  return ['preinstall', 'install', 'postinstall'].some((name) => scripts[name] !== undefined) || existsSync(join(folder, 'binding.gyp'));
};

const nameOf = (folder: string): string => (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest).name;

const { allowBuilds } = parse(readFileSync(repository('pnpm-workspace.yaml'), 'utf8')) as {
  readonly allowBuilds: Readonly<Record<string, boolean>>;
};

test('every dependency that wants to run a script at its installation is named in allowBuilds', () => {
  const folders = readdirSync(STORE)
    .flatMap(packagesIn)
    .filter((folder) => existsSync(join(folder, 'package.json')));
  expect(folders.length).toBeGreaterThan(300);
  const names = new Set(folders.filter(runsScript).map(nameOf));
  expect([...names]).toContain('esbuild');
  expect([...names].filter((name) => allowBuilds[name] === undefined).sort()).toEqual([]);
});
