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

/** Paragraphs, items and cells of a page, without its blocks of code and its front matter. */
const paragraphsOf = ({ path, lines }: Page): readonly Paragraph[] => {
  const found: { place: string; text: string }[] = [];
  const frontMatterEnd = lines[0] === '---' ? lines.indexOf('---', 1) : -1;
  let isCode = false;
  let isOpen = false;
  for (const [index, line] of lines.entries()) {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    if (index <= frontMatterEnd || isFence || isCode || line.trim() === '') {
      isOpen = false;
      continue;
    }
    const place = `${path}:${index + 1}`;
    const isRow = line.trimStart().startsWith('|');
    if (isRow) for (const text of cellsOf(line)) found.push({ place, text });
    else if (isOpen && !STARTS_A_PARAGRAPH.test(line)) {
      const last = found.at(-1);
      if (last !== undefined) last.text += ` ${line.trim()}`;
    } else found.push({ place, text: line.trim() });
    isOpen = !isRow;
  }
  return found;
};

/** Paragraphs and items of the comments of a file. */
const paragraphsOfComments = (source: Source): readonly Paragraph[] =>
  commentPassages(source).flatMap((passage) => {
    const found: { place: string; text: string }[] = [];
    let isOpen = false;
    for (const { place, text } of passage) {
      const line = text.replace(signs, '').replace(/\*\/$/, '').trim();
      const last = found.at(-1);
      if (isOpen && line !== '' && last !== undefined && !STARTS_A_PARAGRAPH.test(line)) last.text += ` ${line}`;
      else if (line !== '') found.push({ place, text: line });
      isOpen = line !== '';
    }
    return found;
  });

/** Code and quoted titles count as one word each, a link as its text. */
const plain = (text: string): string =>
  text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`/g, 'code')
    .replace(/"[^"]*"|“[^”]*”/g, 'title');

const END = /(?<=[.:;?!][)*_"”]*)\s+/;

const sentencesOf = ({ place, text }: Paragraph): readonly Sentence[] =>
  plain(text)
    .split(END)
    .map((sentence) => ({
      place,
      text: sentence,
      words: sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
    }));

/** Sentences of pages with more words than that. */
export const longSentences = (pages: readonly Page[], words: number): readonly Sentence[] =>
  pages
    .flatMap(paragraphsOf)
    .flatMap(sentencesOf)
    .filter((sentence) => sentence.words > words);

/** Sentences of comments with more words than that. */
export const longCommentSentences = (sources: readonly Source[], words: number): readonly Sentence[] =>
  sources
    .flatMap(paragraphsOfComments)
    .flatMap(sentencesOf)
    .filter((sentence) => sentence.words > words);
