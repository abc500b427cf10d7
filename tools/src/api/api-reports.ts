import { join } from 'node:path';
import type ts from 'typescript';
import { declarationsBehind } from './declarations-behind.ts';
import { type EntryPoint, entryPointsIn } from './entry-points.ts';
import { reachedFrom } from './reached-from.ts';
import { type Exported, surfaceOf } from './surface.ts';

const isIn = (entryPoint: EntryPoint, node: ts.Node): boolean => node.getSourceFile().fileName.startsWith(join(entryPoint.folder, 'src/'));

/** Where a declaration stands does not matter to those who use it, nor whether its file exports it. */
const textOf = (node: ts.Node): string =>
  node
    .getText()
    .replaceAll(/\bimport\("\.[^"]*"\)\./g, '')
    .replace(/^(export )?(declare )?/, '');

const moduleOf = (node: ts.Node, entryPoints: readonly EntryPoint[]): string => {
  const path = node.getSourceFile().fileName;
  const entryPoint = entryPoints.find((each) => isIn(each, node));
  return entryPoint?.specifier ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
};

const passedOn = ({ name, declaredName, isTypeOnly }: Exported, from: string): string =>
  `export ${isTypeOnly ? 'type ' : ''}{ ${name === declaredName ? name : `${declaredName} as ${name}`} } from '${from}';`;

const linesOf = (exported: Exported, at: EntryPoint, entryPoints: readonly EntryPoint[]): readonly string[] => {
  const { name, declaredName, declarations, isTypeOnly } = exported;
  const foreign = declarations.find((node) => !isIn(at, node));
  if (foreign !== undefined) return [passedOn(exported, moduleOf(foreign, entryPoints))];
  return [
    ...(isTypeOnly ? [`// ${name}: its type alone`] : []),
    ...(name === declaredName ? [] : [`// ${name}: declared as ${declaredName}`]),
    ...declarations.map(textOf),
  ];
};

const fenced = (lines: readonly string[]): string => `\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n`;

const pageOf = (entryPoint: EntryPoint, exported: readonly string[], reached: readonly string[]): string =>
  [
    `# ${entryPoint.specifier}\n`,
    'What can be imported, in the order of names. Written by `pnpm generate:api`.\n',
    fenced(exported),
    ...(reached.length === 0 ? [] : ['## Not exported, but part of what is\n', fenced(reached)]),
  ].join('\n');

/**
 * The report of each entry point, by its file's path in the folder of packages: what it exports. Where no entry point
 * of the package shows what an export is made of, the report does. So every change of a public surface is a change of a
 * report. No body, no comment, no place of a file is in it. Takes some seconds.
 */
export const apiReports = (packages: string): ReadonlyMap<string, string> => {
  const entryPoints = entryPointsIn(packages);
  const program = declarationsBehind(entryPoints);
  const surfaces = entryPoints.map((entryPoint) => ({ entryPoint, surface: surfaceOf(entryPoint, program) }));
  const shown = new Set(surfaces.flatMap(({ surface }) => surface.flatMap(({ declarations }) => declarations)));
  return new Map(
    surfaces.map(({ entryPoint, surface }) => {
      const own = surface.flatMap(({ declarations }) => declarations).filter((node) => isIn(entryPoint, node));
      const reached = reachedFrom(own, program.getTypeChecker(), (node) => isIn(entryPoint, node) && !shown.has(node));
      const exported = surface.flatMap((each) => linesOf(each, entryPoint, entryPoints));
      return [entryPoint.report, pageOf(entryPoint, exported, reached.map(textOf).sort())];
    }),
  );
};
