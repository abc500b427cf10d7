import ts from 'typescript';
import { declarationsOf, aliasTarget } from './declarations-of.ts';
import type { EntryPoint } from './entry-points.ts';

/** One name that can be imported through an entry point. */
export interface Exported {
  readonly name: string;
  readonly declaredName: string;
  readonly declarations: readonly ts.Node[];
  /** A class or a constant, say, whose type alone can be imported. */
  readonly isTypeOnly: boolean;
}

/** What can be imported through an entry point, in the order of names. */
export const surfaceOf = (entryPoint: EntryPoint, program: ts.Program): readonly Exported[] => {
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(entryPoint.source);
  const module = file === undefined ? undefined : checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error(`${entryPoint.specifier}: ${entryPoint.source} exports nothing`);
  const values = new Set(checker.getPropertiesOfType(checker.getTypeOfSymbol(module)).map(({ name }) => name));
  const exported = checker.getExportsOfModule(module).map((symbol): Exported => {
    const { name } = symbol;
    const named = aliasTarget(symbol, checker);
    const isTypeOnly = (named.flags & ts.SymbolFlags.Value) !== 0 && !values.has(name);
    return { name, declaredName: named.name, declarations: declarationsOf(named), isTypeOnly };
  });
  return exported.sort((a, b) => (a.name < b.name ? -1 : 1));
};
