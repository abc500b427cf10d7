import ts from 'typescript';
import { declarationsOf, aliasTarget } from './declarations-of.ts';

/** The declarations that the shown ones are made of and that are not among them, as far as `follows` lets the search go. */
export const reachedFrom = (
  shown: readonly ts.Node[],
  checker: ts.TypeChecker,
  follows: (node: ts.Node) => boolean,
): readonly ts.Node[] => {
  const known = new Set(shown);
  const visit = (node: ts.Node): void => {
    const symbol = ts.isIdentifier(node) ? checker.getSymbolAtLocation(node) : undefined;
    if (symbol !== undefined) {
      for (const each of declarationsOf(aliasTarget(symbol, checker)).filter(follows)) known.add(each);
    }
    ts.forEachChild(node, visit);
  };
  // A set hands out what is added while it is walked, so this goes on until nothing new is reached.
  for (const node of known) visit(node);
  return [...known.difference(new Set(shown))];
};
