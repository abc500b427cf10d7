import { globSync, readFileSync } from 'node:fs';
import { repository } from '../repository.ts';
import { cell, code, generated, markdownTable } from './markdown.ts';

/** Entry of `exports` in core's package.json → its file. What the packages of this repository share has no page. */
const entries = (): ReadonlyMap<string, string> => {
  const manifest = JSON.parse(readFileSync(repository('packages/core/package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, Readonly<Record<string, string>>>>;
  };
  const files = Object.entries(manifest.exports).filter(([entry]) => entry !== './internal');
  return new Map(files.map(([entry, { '@karpenter/source': file = '' }]) => [`@karpenter/core${entry.slice(1)}`, file]));
};

const EXPORTS = /^export (?:type )?\{([^}]*)\}/gm;

const exportedBy = (text: string): readonly string[] =>
  [...text.matchAll(EXPORTS)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim().replace(/^type /, ''))
    .filter((name) => name !== '')
    .sort();

const DECLARED = /(?:\/\*\*((?:(?!\*\/)[^])*)\*\/\s*)?^export (?:abstract )?(const|type|interface|class|function)\*? (\w+)/gm;

/** Exported name of core → its kind and the first sentence about it. Each name is declared once. */
const declarations = (): ReadonlyMap<string, { readonly kind: string; readonly sentence: string }> => {
  const files = globSync('**/*.ts', { cwd: repository('packages/core/src') }).filter((file) => !/\.test\.ts$|\/testing\//.test(file));
  const found = files.flatMap((file) => [...readFileSync(repository(`packages/core/src/${file}`), 'utf8').matchAll(DECLARED)]);
  return new Map(
    found.map(([, comment = '', kind = '', name = '']) => {
      const text = comment.replaceAll(/\n *\* ?/g, ' ').trim();
      return [name, { kind: kind === 'const' ? 'value' : kind, sentence: /^.*?\.(?= |$)/.exec(text)?.[0] ?? text }];
    }),
  );
};

/** Every public name of core, by entry point, with what it is. A name without a sentence is an error. */
export const libraryPage = (): string => {
  const declared = declarations();
  const row = (name: string): readonly string[] => {
    const { kind, sentence } = declared.get(name) ?? { kind: '', sentence: '' };
    if (sentence === '') throw new Error(`${name} is public and has no comment: state what it is`);
    return [code(name), kind, cell(sentence)];
  };
  const sections = [...entries()].map(([entry, file]) => {
    const names = exportedBy(readFileSync(repository(`packages/core/${file}`), 'utf8'));
    return `## ${code(entry)}\n\n${markdownTable(['Name', 'Kind', 'What it is'], names.map(row))}\n`;
  });
  return `${generated}# Library\n\nThe public names of \`@karpenter/core\`. How to use them: [Core as a library](../library.md) and [the tutorial](../tutorial-provider.md). Shapes, units and errors stand in the comments that an editor shows.\n\n${sections.join('\n')}`;
};
