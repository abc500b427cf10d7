import ts from 'typescript';
import type { Source } from './sources.ts';

/** `aPod`, `anOffering`: functions that make the objects of tests. A scene is what one file sets up. */
const BUILDER = /^an?(?!Scene\b)[A-Z]/;

const isFunction = (node: ts.Expression | undefined): boolean =>
  node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

const buildersOf = (statement: ts.Statement): readonly string[] => {
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    ts.isIdentifier(name) && BUILDER.test(name.text) && isFunction(initializer) ? [name.text] : [],
  );
};

const packageOf = (path: string): string => path.split('/').slice(0, 2).join('/');

/**
 * Builders of a package's tests that a second file of the package defines again, exported or not: `packages/azure aNode`
 * with the files.
 */
export const buildersAgain = (sources: readonly Source[]): ReadonlyMap<string, readonly string[]> => {
  const files = new Map<string, string[]>();
  for (const { path, isTest, file } of sources) {
    if (!isTest && !path.startsWith('packages/testkit/')) continue;
    for (const name of file.statements.flatMap(buildersOf)) {
      const key = `${packageOf(path)} ${name}`;
      files.set(key, [...(files.get(key) ?? []), path]);
    }
  }
  return new Map([...files].filter(([, paths]) => paths.length > 1));
};
