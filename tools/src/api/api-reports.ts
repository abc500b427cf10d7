import { join } from 'node:path';
import type ts from 'typescript';
import { declarationsBehind } from './declarations-behind.ts';
import { type Door, doorsIn } from './doors.ts';
import { reachedFrom } from './reached-from.ts';
import { type Exported, surfaceOf } from './surface.ts';

const isIn = (door: Door, node: ts.Node): boolean => node.getSourceFile().fileName.startsWith(join(door.folder, 'src/'));

/** Where a declaration stands does not matter to those who use it, nor whether its file exports it. */
const textOf = (node: ts.Node): string =>
  node
    .getText()
    .replaceAll(/\bimport\("\.[^"]*"\)\./g, '')
    .replace(/^(export )?(declare )?/, '');

const moduleOf = (node: ts.Node, doors: readonly Door[]): string => {
  const path = node.getSourceFile().fileName;
  const door = doors.find((each) => isIn(each, node));
  return door?.specifier ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
};

const passedOn = ({ name, declaredName, isTypeOnly }: Exported, from: string): string =>
  `export ${isTypeOnly ? 'type ' : ''}{ ${name === declaredName ? name : `${declaredName} as ${name}`} } from '${from}';`;

const linesOf = (exported: Exported, at: Door, doors: readonly Door[]): readonly string[] => {
  const { name, declaredName, declarations, isTypeOnly } = exported;
  const foreign = declarations.find((node) => !isIn(at, node));
  if (foreign !== undefined) return [passedOn(exported, moduleOf(foreign, doors))];
  return [
    ...(isTypeOnly ? [`// ${name}: its type alone`] : []),
    ...(name === declaredName ? [] : [`// ${name}: declared as ${declaredName}`]),
    ...declarations.map(textOf),
  ];
};

const fenced = (lines: readonly string[]): string => `\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n`;

const pageOf = (door: Door, exported: readonly string[], reached: readonly string[]): string =>
  [
    `# ${door.specifier}\n`,
    'What can be imported, in the order of names. Written by `pnpm generate:api`.\n',
    fenced(exported),
    ...(reached.length === 0 ? [] : ['## Not exported, but part of what is\n', fenced(reached)]),
  ].join('\n');

/**
 * The report of each door, by its file's path in the folder of packages: what it exports, and what its exports are made
 * of where no door of the package shows that, so that every change of a public surface is a change of a report. No
 * body, no comment, no place of a file is in it. Takes some seconds.
 */
export const apiReports = (packages: string): ReadonlyMap<string, string> => {
  const doors = doorsIn(packages);
  const program = declarationsBehind(doors);
  const surfaces = doors.map((door) => ({ door, surface: surfaceOf(door, program) }));
  const shown = new Set(surfaces.flatMap(({ surface }) => surface.flatMap(({ declarations }) => declarations)));
  return new Map(
    surfaces.map(({ door, surface }) => {
      const own = surface.flatMap(({ declarations }) => declarations).filter((node) => isIn(door, node));
      const reached = reachedFrom(own, program.getTypeChecker(), (node) => isIn(door, node) && !shown.has(node));
      const exported = surface.flatMap((each) => linesOf(each, door, doors));
      return [door.report, pageOf(door, exported, reached.map(textOf).sort())];
    }),
  );
};
