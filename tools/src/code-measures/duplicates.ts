import ts from 'typescript';
import type { Source } from './sources.ts';

/** Lines that two places must share to count. */
const RUN = 6;

/** A line of code without its indentation. Imports, comments, blank lines and lines of brackets say nothing. */
interface CodeLine {
  readonly text: string;
  /** Counted from 1. */
  readonly number: number;
}

const codeLines = ({ file }: Source): readonly CodeLine[] => {
  const lines = file.text.split('\n');
  const imports = new Set<number>();
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) continue;
    const [first, last] = [statement.getStart(file), statement.getEnd()].map((at) => file.getLineAndCharacterOfPosition(at).line);
    for (let line = first ?? 0; line <= (last ?? 0); line++) imports.add(line);
  }
  return lines.flatMap((line, index) => {
    const text = line.trim();
    return imports.has(index) || !/\w/.test(text) || /^(?:\/\/|\/\*|\*)/.test(text) ? [] : [{ text, number: index + 1 }];
  });
};

interface Place {
  readonly path: string;
  readonly lines: readonly CodeLine[];
  readonly at: number;
}

const isContinued = ({ lines, at }: Place, other: Place): boolean =>
  at > 0 && other.at > 0 && lines[at - 1]?.text === other.lines[other.at - 1]?.text;

const written = ({ path, lines, at }: Place): string => `${path}:${lines[at]?.number}`;

/** Pairs of places with the same six lines of code or more, by their first lines: `a.ts:12 ~ b.ts:40`. */
export const duplicatePairs = (sources: readonly Source[]): readonly string[] => {
  const places = new Map<string, Place[]>();
  const pairs: string[] = [];
  for (const source of sources) {
    const lines = codeLines(source);
    for (let at = 0; at + RUN <= lines.length; at++) {
      const key = lines
        .slice(at, at + RUN)
        .map(({ text }) => text)
        .join('\n');
      const place = { path: source.path, lines, at };
      const earlier = places.get(key) ?? [];
      for (const other of earlier) if (!isContinued(other, place)) pairs.push(`${written(other)} ~ ${written(place)}`);
      places.set(key, [...earlier, place]);
    }
  }
  return pairs.sort();
};
