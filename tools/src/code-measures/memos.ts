import ts from 'typescript';
import type { Source } from './sources.ts';

const isLookUp = (node: ts.Expression | undefined): boolean =>
  node !== undefined && ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'get';

/** The name of `const known = map.get(key)`. */
const nameOfLookUp = (statement: ts.Statement | undefined): string | undefined => {
  if (statement === undefined || !ts.isVariableStatement(statement)) return undefined;
  const [declaration] = statement.declarationList.declarations;
  return declaration !== undefined && isLookUp(declaration.initializer) ? declaration.name.getText() : undefined;
};

const returned = (statement: ts.Statement): ts.Expression | undefined =>
  ts.isReturnStatement(statement)
    ? statement.expression
    : ts.isBlock(statement) && statement.statements.length === 1 && statement.statements[0] !== undefined
      ? returned(statement.statements[0])
      : undefined;

const isReturnOf = (name: string, statement: ts.Statement): boolean =>
  ts.isIfStatement(statement) &&
  statement.expression.getText() === `${name} !== undefined` &&
  returned(statement.thenStatement)?.getText().startsWith(name) === true;

/** What sets the value in the map again, after `const known = map.get(key) ?? fresh`. */
const keptAgain = (statement: ts.Statement | undefined): string | undefined => {
  const [, name = '', map = '', key = ''] = /^const (\w+) = (.+?)\.get\((.+?)\) \?\? /s.exec(statement?.getText() ?? '') ?? [];
  return name === '' ? undefined : `${map}.set(${key}, ${name});`;
};

/**
 * Places that look a key up, return what they find, and otherwise set what they work out, and places that set what they
 * find again: `memoByObject`, `memoByKey` and `getOrMake` do that. By hand it is meant where a closure for each call
 * costs too much, and in packages that cannot import core's helpers.
 */
export const memosByHand = ({ path, file }: Source): readonly string[] => {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node))
      node.statements.forEach((statement, index) => {
        const name = nameOfLookUp(node.statements[index - 1]);
        const isMemo = name !== undefined && isReturnOf(name, statement);
        const sets = isMemo && node.statements.slice(index + 1).some((each) => each.getText().includes('.set('));
        if (sets || statement.getText() === keptAgain(node.statements[index - 1]))
          found.push(`${path}:${file.getLineAndCharacterOfPosition(statement.getStart()).line + 1}`);
      });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};
