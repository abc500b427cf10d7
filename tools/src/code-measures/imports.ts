import ts from 'typescript';
import type { Source } from './sources.ts';

/** Modules of Node come first, then packages, then files. */
const rankOf = (statement: ts.ImportDeclaration): number => {
  const module = statement.moduleSpecifier.getText().slice(1, -1);
  if (module.startsWith('node:')) return 0;
  return module.startsWith('.') ? 2 : 1;
};

/** Imports that stand below one that comes later in order. `import './file.ts'`, which names nothing, stands anywhere. */
export const importsOutOfOrder = ({ path, file }: Source): readonly string[] => {
  const statements = file.statements.filter(ts.isImportDeclaration).filter(({ importClause }) => importClause !== undefined);
  let last = 0;
  return statements.flatMap((statement) => {
    const rank = rankOf(statement);
    if (rank < last) return [`${path}:${file.getLineAndCharacterOfPosition(statement.getStart()).line + 1}`];
    last = rank;
    return [];
  });
};
