import type { Options } from 'tsup';

/**
 * How a package that others install is built. The types of packages that it imports are taken from their builds: read as
 * sources, they were checked again for each package.
 */
export const packageBuild = (entry: Readonly<Record<string, string>>): Options => ({
  entry: { ...entry },
  format: ['esm'],
  dts: { compilerOptions: { customConditions: [] } },
  sourcemap: true,
  clean: true,
  target: 'node24',
});
