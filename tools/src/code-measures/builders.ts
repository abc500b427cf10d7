import ts from 'typescript';
import type { Source } from './sources.ts';

/** `aPod`, `anOffering`: functions that make the objects of tests. */
const BUILDER = /^an?[A-Z]/;

const isFunction = (node: ts.Expression | undefined): boolean =>
  node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));

const functionsOf = (statement: ts.Statement): readonly string[] => {
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    ts.isIdentifier(name) && isFunction(initializer) ? [name.text] : [],
  );
};

const packageOf = (path: string): string => path.split('/').slice(0, 2).join('/');

/** `packages/azure aNode` → the files of that package that define the function, exported or not. */
const filesOfFunctions = (sources: readonly Source[]): ReadonlyMap<string, readonly string[]> => {
  const files = new Map<string, string[]>();
  for (const { path, file } of sources) {
    for (const name of file.statements.flatMap(functionsOf)) {
      const key = `${packageOf(path)} ${name}`;
      files.set(key, [...(files.get(key) ?? []), path]);
    }
  }
  return files;
};

/** Builders of a package's tests that a second file of the package defines again. */
export const buildersAgain = (sources: readonly Source[]): ReadonlyMap<string, readonly string[]> => {
  const files = filesOfFunctions(sources.filter(({ path, isTest }) => isTest || path.startsWith('packages/testkit/')));
  return new Map([...files].filter(([key, paths]) => paths.length > 1 && BUILDER.test(key.replace(/^.* /, ''))));
};

/** Functions of tests that a third file of their package defines under the same name. Two may be a coincidence. */
export const helpersAgain = (sources: readonly Source[]): ReadonlyMap<string, readonly string[]> =>
  new Map([...filesOfFunctions(sources.filter(({ isTest }) => isTest))].filter(([, paths]) => paths.length > 2));
