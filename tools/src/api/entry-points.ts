import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A way into a package: one entry of `exports` in its package.json. */
export interface EntryPoint {
  /** As it stands in an import: `@karpenter/core/provider-kit`. */
  readonly specifier: string;
  /** The package's folder, absolute. */
  readonly folder: string;
  /** The module behind it, absolute. */
  readonly source: string;
  /** The report's file, relative to the folder of packages: `core/api/provider-kit.md`. */
  readonly report: string;
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const entryPointsOf = (packages: string, name: string): readonly EntryPoint[] => {
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

/** Every entry point of every package in a folder of packages. */
export const entryPointsIn = (packages: string): readonly EntryPoint[] =>
  readdirSync(packages)
    .sort()
    .flatMap((name) => entryPointsOf(packages, name));
