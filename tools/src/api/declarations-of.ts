import ts from 'typescript';

const statementOf = (node: ts.Node): ts.Node => (ts.isSourceFile(node) || ts.isSourceFile(node.parent) ? node : statementOf(node.parent));

/** What an alias stands for; any other symbol is its own answer. */
export const aliasTarget = (symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol =>
  (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);

/** The statements at the top of a file that declare a symbol, or that hold its declaration. */
export const declarationsOf = (symbol: ts.Symbol): readonly ts.Node[] => [...new Set(symbol.declarations?.map(statementOf))];
