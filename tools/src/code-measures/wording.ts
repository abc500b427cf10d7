import ts from 'typescript';
import type { Page, Source } from './sources.ts';

/**
 * Turns that do not belong in plain technical English, by the word to look up. Not here, because most of their uses are
 * right: "neither … nor", "so that … not", and words that Kubernetes or Azure use too (draft, door).
 */
export const turns: Readonly<Record<string, RegExp>> = {
  tell: /\b(?:tell|tells|telling|told)\b/i,
  'give up': /\b(?:give|gives|giving|given|gave)(?:\s+\S+){0,4} up\b/i,
  anew: /\banew\b/i,
  'of which': /\bof which\b/i,
  'that which': /\bthat which\b/i,
  'to be had': /\bto be had\b/i,
  'is asked': /\b(?:is|are|was|were|be|been) asked\b/i,
  'it wishes': /\b(?:wish|wishes|wished)\b/i,
  'looked at': /\blook(?:s|ed|ing)? at\b/i,
  news: /\bnews\b/i,
  'hold back': /\b(?:hold|holds|holding|held) back\b/i,
  upkeep: /\bupkeep\b/i,
  'as it is': /(?<!\b(?:far|fast|late|long|much|soon) )\bas it is\b/i,
  ladder: /\b(?:ladders?|rungs?)\b/i,
  applicant: /\b(?:applicants?|seekers?)\b/i,
  parcel: /(?<!@)\b(?:parcels?|shelf|shelves|best buys?)\b/i,
  market: /\bmarkets?\b/i,
  leftovers: /(?<!`)\bleftovers?\b/i,
  'lost answers': /\blost answers?\b/i,
  demand: /(?<!\bon[ -]|-)\bdemands?\b/i,
  floor: /(?<![.|] ?)\bfloors?\b/i,
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

/** Lines that are read as one text, since a turn may be broken over two of them. */
type Passage = readonly Text[];

const place = ({ path, file }: Source, position: number): string => `${path}:${file.getLineAndCharacterOfPosition(position).line + 1}`;

/** Comments of a file. JSX text and strings are not comments: the scanner of the parser finds where they are. */
export const commentPassages = (source: Source): readonly Passage[] => {
  const { text } = source.file;
  const seen = new Set<number>();
  const found: Text[][] = [];
  let lastEnd = -1;
  const visit = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of ranges) {
      if (seen.has(pos)) continue;
      seen.add(pos);
      const isNextLine = lastEnd >= 0 && lastEnd < pos && text.slice(lastEnd, pos).trim() === '';
      if (!isNextLine) found.push([]);
      lastEnd = end;
      let at = pos;
      for (const line of text.slice(pos, end).split('\n')) {
        found.at(-1)?.push({ place: place(source, at), text: line.trim() });
        at += line.length + 1;
      }
    }
    node.getChildren(source.file).forEach(visit);
  };
  visit(source.file);
  return found;
};

/** Lines of the comments of a file. */
export const commentLines = (source: Source): readonly Text[] => commentPassages(source).flat();

const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  ts.isStringLiteral(node) ||
  ts.isNoSubstitutionTemplateLiteral(node) ||
  node.kind === ts.SyntaxKind.TemplateHead ||
  node.kind === ts.SyntaxKind.TemplateMiddle ||
  node.kind === ts.SyntaxKind.TemplateTail;

/** String literals with a space in them: messages, titles, help. */
const messages = (source: Source): readonly Passage[] => {
  const found: Passage[] = [];
  const visit = (node: ts.Node): void => {
    if (isText(node) && node.text.includes(' ')) found.push([{ place: place(source, node.getStart(source.file)), text: node.text }]);
    ts.forEachChild(node, visit);
  };
  visit(source.file);
  return found;
};

const STARTS_A_PASSAGE = /^\s*(?:$|[|>]|#+ |[-*] |\d+\. )/;

/** Paragraphs, items, rows and headings of a page. */
const paragraphs = ({ path, lines }: Page): readonly Passage[] => {
  const found: Text[][] = [];
  for (const [index, text] of lines.entries()) {
    if (index === 0 || STARTS_A_PASSAGE.test(text)) found.push([]);
    found.at(-1)?.push({ place: `${path}:${index + 1}`, text });
  }
  return found;
};

/** Comments that start with `#` are read together, any other line by itself. */
const settings = ({ path, lines }: Page): readonly Passage[] => {
  const found: Text[][] = [];
  for (const [index, text] of lines.entries()) {
    const isFurther = /^\s*#/.test(text) && /^\s*#/.test(lines[index - 1] ?? '');
    if (!isFurther) found.push([]);
    found.at(-1)?.push({ place: `${path}:${index + 1}`, text });
  }
  return found;
};

/** What starts a line of a comment or of a page. */
export const signs = /^\s*(?:\/\*\*?|\*\/?|\/\/|#+|>)\s*/;

/** Where the lines of a passage contain a turn: the line on which it begins. */
const finds = (passage: Passage): readonly Find[] => {
  const lines = passage.map(({ text }) => `${text.replace(signs, '').trim()} `);
  const whole = lines.join('');
  return Object.entries(turns).flatMap(([turn, pattern]) => {
    const found: Find[] = [];
    for (const { index } of whole.matchAll(new RegExp(pattern, 'gi'))) {
      let line = 0;
      for (let end = lines[0]?.length ?? 0; end <= index; end += lines[line]?.length ?? 1) line++;
      const text = passage[line];
      if (text !== undefined) found.push({ turn, ...text });
    }
    return found;
  });
};

/** Every listed turn in comments, messages, pages and settings. */
export const findTurns = (sources: readonly Source[], pages: readonly Page[], files: readonly Page[] = []): readonly Find[] => [
  ...sources.flatMap((source) => [...commentPassages(source), ...messages(source)].flatMap(finds)),
  ...pages.flatMap((page) => paragraphs(page).flatMap(finds)),
  ...files.flatMap((file) => settings(file).flatMap(finds)),
];
