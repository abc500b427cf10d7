import type { Page, Source } from './sources.ts';
import { commentPassages, signs } from './wording.ts';

/** A sentence, or the part of one up to a colon or semicolon. */
export interface Sentence {
  /** Where its paragraph begins: `docs/cli.md:12`. */
  readonly place: string;
  readonly words: number;
  readonly text: string;
}

interface Paragraph {
  readonly place: string;
  readonly text: string;
}

const FENCE = /^\s*(?:```|~~~)/;
const STARTS_A_PARAGRAPH = /^\s*(?:#+ |[-*] |\d+\. |>|<!--|\|)/;

/** A row of a table is one text for each cell. */
const cellsOf = (row: string): readonly string[] => row.replaceAll(String.raw`\|`, '¦').split('|');

const isRow = (line: string): boolean => line.startsWith('|');

/** Joins the lines of a paragraph. An empty line, an item and a cell of a table end the text before them. */
const joined = (lines: readonly Paragraph[]): readonly Paragraph[] => {
  const found: { place: string; text: string }[] = [];
  let open: { place: string; text: string } | undefined;
  for (const { place, text } of lines) {
    if (text !== '' && open !== undefined && !STARTS_A_PARAGRAPH.test(text)) {
      open.text += ` ${text}`;
      continue;
    }
    const texts = isRow(text) ? cellsOf(text) : [text];
    found.push(...texts.map((cell) => ({ place, text: cell })));
    open = text === '' || isRow(text) ? undefined : found.at(-1);
  }
  return found;
};

/** The lines of a page. Those of code and of front matter are empty. */
const proseOf = ({ path, lines }: Page): readonly Paragraph[] => {
  const frontMatterEnd = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  let isCode = false;
  return lines.map((line, index) => {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    const isProse = index > frontMatterEnd && !isFence && !isCode;
    return { place: `${path}:${index + 1}`, text: isProse ? line.trim() : '' };
  });
};

/** Paragraphs and items of the comments of a file. */
const paragraphsOfComments = (source: Source): readonly Paragraph[] =>
  commentPassages(source).flatMap((passage) =>
    joined(passage.map(({ place, text }) => ({ place, text: text.replace(signs, '').replace(/\*\/$/, '').trim() }))),
  );

/** Code and quoted titles count as one word each, a link as its text. */
const plain = (text: string): string =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`/g, 'code')
    .replace(/"[^"]*"|“[^”]*”/g, 'title');

const isWord = (word: string): boolean => /[\p{L}\p{N}]/u.test(word);

/** A list of code alone, such as the labels of a metric, has none. */
const wordsIn = (text: string): number => {
  const words = text.split(/\s+/).filter(isWord);
  return words.every((word) => /^code,?$/.test(word)) ? 0 : words.length;
};

const END = /(?<=[.:;?!][)*_"”]*)\s+/;

const sentencesOf = ({ place, text }: Paragraph): readonly Sentence[] =>
  plain(text)
    .split(END)
    .map((sentence) => ({
      place,
      text: sentence,
      words: wordsIn(sentence),
    }));

/** Sentences of pages with more words than that. */
export const longSentences = (pages: readonly Page[], words: number): readonly Sentence[] =>
  pages
    .flatMap((page) => joined(proseOf(page)))
    .flatMap(sentencesOf)
    .filter((sentence) => sentence.words > words);

/** Sentences of comments with more words than that. */
export const longCommentSentences = (sources: readonly Source[], words: number): readonly Sentence[] =>
  sources
    .flatMap(paragraphsOfComments)
    .flatMap(sentencesOf)
    .filter((sentence) => sentence.words > words);
