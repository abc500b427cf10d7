import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import type { EntryPoint } from './entry-points.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const compilerOptions = (): ts.CompilerOptions => {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.base.json'), (path) => ts.sys.readFile(path)) as {
    readonly config: { readonly compilerOptions: object };
  };
  return {
    ...ts.convertCompilerOptionsFromJson(config.compilerOptions, root).options,
    typeRoots: [join(root, 'node_modules', '@types')],
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    // Only the types of declarations are worked out: `pnpm typecheck` checks the bodies.
    noCheck: true,
    removeComments: true,
    // Else the order of a union follows the order in which files were checked. A report would change with a file that
    // it does not show.
    stableTypeOrdering: true,
  };
};

const declarationsOf = (program: ts.Program, file: ts.SourceFile): string => {
  let text = '';
  const { diagnostics } = program.emit(file, (_path, written) => (text = written), undefined, true);
  const [first] = diagnostics;
  if (first !== undefined) throw new Error(`${file.fileName}: ${ts.flattenDiagnosticMessageText(first.messageText, '\n')}`);
  return text;
};

/**
 * A program of the packages in which each of their files holds only its declarations: types written out where the code
 * leaves them to be inferred, no bodies, no comments. Files that no declaration leads to are not in it. Takes some
 * seconds.
 */
export const declarationsBehind = (entryPoints: readonly EntryPoint[]): ts.Program => {
  const options = compilerOptions();
  const host = ts.createCompilerHost(options);
  const sources = entryPoints.map(({ source }) => source);
  const program = ts.createProgram(sources, options, host);
  const ours = (path: string): boolean => entryPoints.some(({ folder }) => path.startsWith(join(folder, 'src/')));
  const getSourceFile: ts.CompilerHost['getSourceFile'] = (path, language) => {
    const file = program.getSourceFile(path);
    if (file === undefined) return host.getSourceFile(path, language);
    return ours(path) ? ts.createSourceFile(path, declarationsOf(program, file), language, true) : file;
  };
  return ts.createProgram(sources, options, { ...host, getSourceFile });
};
