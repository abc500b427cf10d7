import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A way into a package: one entry of `exports` in its package.json. */
export interface Door {
  /** As it stands in an import: `@karpenter/core/provider-kit`. */
  readonly specifier: string;
  /** The package's folder, absolute. */
  readonly folder: string;
  /** The module behind the door, absolute. */
  readonly source: string;
  /** The report's file, relative to the folder of packages: `core/api/provider-kit.md`. */
  readonly report: string;
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const doorsOf = (packages: string, name: string): readonly Door[] => {
  const folder = join(packages, name);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  return Object.entries(manifest.exports).map(([entry, targets]) => {
    const source = targets['@karpenter/source'];
    if (source === undefined) throw new Error(`${manifest.name}: exports["${entry}"] names no @karpenter/source`);
    const path = entry === '.' ? 'index' : entry.slice('./'.length);
    return {
      specifier: join(manifest.name, entry),
      folder,
      source: join(folder, source),
      report: `${name}/api/${path.replaceAll('/', '-')}.md`,
    };
  });
};

/** Every door of every package in a folder of packages. */
export const doorsIn = (packages: string): readonly Door[] =>
  readdirSync(packages)
    .sort()
    .flatMap((name) => doorsOf(packages, name));
