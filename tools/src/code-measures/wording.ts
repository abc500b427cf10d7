import ts from 'typescript';
import type { Page, Source } from './sources.ts';

/** Turns that do not belong in plain technical English, by the word to look up. */
export const turns: Readonly<Record<string, RegExp>> = {
  tell: /\b(?:tell|tells|telling|told)\b/i,
  'give up': /\b(?:give|gives|giving|given|gave)(?:\s+\S+)? up\b/i,
  anew: /\banew\b/i,
  'of which': /\bof which\b/i,
  'that which': /\bthat which\b/i,
  'to be had': /\bto be had\b/i,
  'is asked': /\b(?:is|are|was|were|be|been) asked\b/i,
  'it wishes': /\b(?:wish|wishes|wished)\b/i,
  'looked at': /\blook(?:s|ed|ing)? at\b/i,
  news: /\bnews\b/i,
  'held back': /\bheld back\b/i,
  upkeep: /\bupkeep\b/i,
};

/** One place where a text for people contains a turn. */
export interface Find {
  readonly turn: string;
  /** `packages/core/src/base/heap.ts:12`. */
  readonly place: string;
  readonly text: string;
}

interface Text {
  readonly place: string;
  readonly text: string;
}

const place = ({ path, file }: Source, position: number): string => `${path}:${file.getLineAndCharacterOfPosition(position).line + 1}`;

/** Lines of the comments of a file. JSX text and strings are not comments: the scanner of the parser finds where they are. */
export const commentLines = (source: Source): readonly Text[] => {
  const { text } = source.file;
  const seen = new Set<number>();
  const found: Text[] = [];
  const visit = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of ranges) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      let at = pos;
      for (const line of text.slice(pos, end).split('\n')) {
        found.push({ place: place(source, at), text: line.trim() });
        at += line.length + 1;
      }
    }
    node.getChildren(source.file).forEach(visit);
  };
  visit(source.file);
  return found;
};

const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  ts.isStringLiteral(node) ||
  ts.isNoSubstitutionTemplateLiteral(node) ||
  node.kind === ts.SyntaxKind.TemplateHead ||
  node.kind === ts.SyntaxKind.TemplateMiddle ||
  node.kind === ts.SyntaxKind.TemplateTail;

/** String literals with a space in them: messages, titles, help. */
const messages = (source: Source): readonly Text[] => {
  const found: Text[] = [];
  const visit = (node: ts.Node): void => {
    if (isText(node) && node.text.includes(' ')) found.push({ place: place(source, node.getStart(source.file)), text: node.text });
    ts.forEachChild(node, visit);
  };
  visit(source.file);
  return found;
};

const pageLines = ({ path, lines }: Page): readonly Text[] => lines.map((text, index) => ({ place: `${path}:${index + 1}`, text }));

const finds = (texts: readonly Text[]): readonly Find[] =>
  texts.flatMap(({ place: at, text }) =>
    Object.entries(turns).flatMap(([turn, pattern]) => (pattern.test(text) ? [{ turn, place: at, text }] : [])),
  );

/** Every listed turn in comments, messages and pages. */
export const findTurns = (sources: readonly Source[], pages: readonly Page[]): readonly Find[] => [
  ...sources.flatMap((source) => [...finds(commentLines(source)), ...finds(messages(source))]),
  ...pages.flatMap((page) => finds(pageLines(page))),
];
