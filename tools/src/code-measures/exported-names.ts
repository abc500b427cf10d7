import ts from 'typescript';
import type { Source } from './sources.ts';

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const namesOf = (statement: ts.Statement): readonly string[] => {
  if (!isExported(statement)) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
  const { name } = statement as ts.DeclarationStatement;
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : [];
};

/**
 * Exported names that are declared in two or more files that are no tests, with those files. Overloads of one file
 * count once.
 */
export const namesDeclaredTwice = (sources: readonly Source[]): ReadonlyMap<string, readonly string[]> => {
  const files = new Map<string, Set<string>>();
  for (const { path, isTest, file } of sources) {
    if (isTest) continue;
    for (const name of file.statements.flatMap(namesOf)) files.set(name, (files.get(name) ?? new Set()).add(path));
  }
  return new Map([...files].filter(([, paths]) => paths.size > 1).map(([name, paths]) => [name, [...paths].sort()]));
};
