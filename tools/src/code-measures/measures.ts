import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { repository } from '../repository.ts';
import { buildersAgain, helpersAgain } from './builders.ts';
import { duplicatePairs } from './duplicates.ts';
import { namesDeclaredTwice } from './exported-names.ts';
import { importsOutOfOrder } from './imports.ts';
import { memosByHand } from './memos.ts';
import { longCommentSentences, longSentences } from './sentences.ts';
import { readPages, readScripts, readSettings, readSources } from './sources.ts';
import type { Sentence } from './sentences.ts';
import type { Page, Source } from './sources.ts';
import { commentLines, findTurns, turns } from './wording.ts';

/** A figure about how easy the code is to read. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  /** What it is to become. */
  readonly bar: number;
  /** More is refused by `npm test`; lower it with every step. */
  readonly most: number;
  /** The places that are counted. */
  readonly places: readonly string[];
}

const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
};

const lengthOf = ({ file }: Source): number => file.getLineAndCharacterOfPosition(file.getEnd()).line;

const SMALL = 15;

/** `cells[i]` and `cells.at(i)`. */
const isCell = (node: ts.Node): boolean =>
  ts.isElementAccessExpression(node)
    ? !ts.isStringLiteral(node.argumentExpression)
    : ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) && node.expression.name.text === 'at';

/** The cell that a value is read from: `cells[i]` of `cells[i]?.amount`. */
const cellUnder = (node: ts.Node): ts.Node | undefined =>
  isCell(node)
    ? node
    : ts.isPropertyAccessExpression(node) || ts.isCallExpression(node) || ts.isParenthesizedExpression(node)
      ? cellUnder(node.expression)
      : undefined;

const isNumber = (node: ts.Node): boolean =>
  ts.isNumericLiteral(node) ||
  ts.isBigIntLiteral(node) ||
  (ts.isPrefixUnaryExpression(node) && ts.isNumericLiteral(node.operand)) ||
  (ts.isPropertyAccessExpression(node) && node.expression.getText() === 'Number');

/** The groups of a pattern have fixed numbers, and may be missing: `match[1] ?? ''`. */
const isPatternGroup = (cell: ts.Node): boolean => ts.isElementAccessExpression(cell) && ts.isNumericLiteral(cell.argumentExpression);

/**
 * Cells of arrays and records that read as a number or a text when they are missing: `amounts[i] ?? 0`,
 * `nodes[i]?.podCount ?? 0`, `totals.at(-1) ?? 0`, `names[i] ?? ''`. A bug in an index is then a wrong plan instead of an
 * error. `amountAt`, `idAt` and `itemAt` throw; `amountIn` says that zero is meant, `labelOf` that a label may be missing.
 */
export const silentCellsIn = ({ file }: Source): number => {
  let count = 0;
  const visit = (node: ts.Node): void => {
    const isDefault = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken;
    const cell = isDefault ? cellUnder(node.left) : undefined;
    if (isDefault && cell !== undefined && (isNumber(node.right) || (ts.isStringLiteral(node.right) && !isPatternGroup(cell)))) count++;
    ts.forEachChild(node, visit);
  };
  visit(file);
  return count;
};

const fileMeasures = (sources: readonly Source[]): readonly Measure[] => {
  const core = sources.filter(({ path, isTest }) => path.startsWith('packages/core/src/') && !isTest);
  const own = core.filter(({ path }) => !path.endsWith('/index.ts'));
  const small = own.filter((source) => lengthOf(source) < SMALL);
  const others = sources.filter(({ path, isTest }) => /^packages\/(?:azure|runtime|simulator)\/src\//.test(path) && !isTest);
  const smallOthers = others.filter((source) => !source.path.endsWith('/index.ts') && lengthOf(source) < SMALL);
  const zeros = core
    .filter(({ path }) => /\/(?:scheduling|catalog|base\/collections)\//.test(path))
    .map((source) => ({ path: source.path, count: silentCellsIn(source) }));
  const steps = sources.filter(({ isTest }) => !isTest).flatMap(misnamedSteps);
  const unordered = sources.flatMap(importsOutOfOrder);
  const api = sources.filter(({ path, isTest }) => /^packages\/api-server\/src\//.test(path) && !isTest);
  return [
    { name: 'core: source files', value: core.length, bar: 330, most: 330, places: [] },
    { name: 'core: lines of the median file', value: quantile(own.map(lengthOf), 0.5), bar: 90, most: 130, places: [] },
    { name: `core: files under ${SMALL} lines`, value: small.length, bar: 0, most: 0, places: small.map(({ path }) => path) },
    {
      name: `azure, runtime, simulator: files under ${SMALL} lines`,
      value: smallOthers.length,
      bar: 7,
      most: 7,
      places: smallOthers.map(({ path }) => path),
    },
    {
      name: 'core: cells of the solver that read as a number or a text when missing',
      value: zeros.reduce((sum, { count }) => sum + count, 0),
      bar: 0,
      most: 0,
      places: zeros.filter(({ count }) => count > 0).map(({ path, count }) => `${path} ${count}`),
    },
    { name: 'generators of steps without -ing in their name', value: steps.length, bar: 0, most: 0, places: steps },
    { name: 'imports out of order: node:, packages, files', value: unordered.length, bar: 0, most: 0, places: unordered },
    {
      name: 'api-server: lines',
      value: api.reduce((sum, source) => sum + lengthOf(source), 0),
      bar: 7500,
      most: 10_000,
      places: [],
    },
  ];
};

/** Generators of steps whose name does not say so: each is named with -ing (ADR 6). */
export const misnamedSteps = ({ path, file }: Source): readonly string[] => {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    const isGenerator = (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.asteriskToken !== undefined;
    const name = isGenerator ? (node.name?.getText() ?? '') : '';
    if (isGenerator && node.type?.getText().startsWith('Steps<') === true && !/^#?[a-z]*ing(?:[A-Z]|$)/.test(name))
      found.push(`${path} ${name}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
};

/** What stands twice. */
const repetitionMeasures = (sources: readonly Source[]): readonly Measure[] => {
  const twice = namesDeclaredTwice(sources);
  const pairs = duplicatePairs(sources);
  const builders = buildersAgain(sources);
  const helpers = helpersAgain(sources);
  const memos = sources.filter(({ path, isTest }) => !isTest && !path.endsWith('/base/collections/memo.ts')).flatMap(memosByHand);
  return [
    {
      name: 'exported names declared in two files or more',
      value: twice.size,
      bar: 0,
      most: 0,
      places: [...twice].map(([name, paths]) => `${name}: ${paths.join(', ')}`).sort(),
    },
    { name: 'pairs of places with the same six lines', value: pairs.length, bar: 40, most: 5, places: pairs },
    { name: 'memos written out by hand', value: memos.length, bar: 20, most: 14, places: memos },
    {
      name: 'builders of tests defined again in their package',
      value: [...builders.values()].reduce((sum, paths) => sum + paths.length - 1, 0),
      bar: 0,
      most: 0,
      places: [...builders].map(([name, paths]) => `${name}: ${paths.join(', ')}`).sort(),
    },
    {
      name: 'functions of tests of one name in three files of a package',
      value: helpers.size,
      bar: 0,
      most: 0,
      places: [...helpers].map(([name, paths]) => `${name}: ${paths.join(', ')}`).sort(),
    },
  ];
};

/**
 * What a user of core can import, by the page that `pnpm generate:reference` writes. Not counted: types that only stand
 * in a public signature, and the entry for the packages of this repository.
 */
const publicNames = (pages: readonly Page[]): readonly Measure[] => {
  const reference = readFileSync(repository('docs/reference/library.md'), 'utf8');
  const names = [...new Set([...reference.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = '']) => name))].sort();
  const written = pages.filter(({ path }) => !/^docs\/(reference|adr)\//.test(path)).flatMap(({ lines }) => lines);
  const used = new Set(written.flatMap((line) => line.match(/\w+/g) ?? []));
  const unused = names.filter((name) => !used.has(name));
  return [
    { name: 'core: public names', value: names.length, bar: 120, most: 120, places: names },
    { name: 'core: public names that stand on no page', value: unused.length, bar: 0, most: 0, places: unused },
  ];
};

const wordingMeasures = (sources: readonly Source[], pages: readonly Page[]): readonly Measure[] => {
  const found = findTurns([...sources, ...readScripts()], pages, readSettings());
  const lengths = sources.flatMap(commentLines).map(({ text }) => text.length);
  return [
    ...Object.keys(turns).map((turn) => {
      const places = found.filter((find) => find.turn === turn).map(({ place, text }) => `${place} ${text}`);
      return { name: `"${turn}" in texts`, value: places.length, bar: 0, most: 0, places };
    }),
    { name: 'comments: characters a line, 95th percentile', value: quantile(lengths, 0.95), bar: 120, most: 120, places: [] },
  ];
};

const ADR_TITLE = /^# \d{4} \S/;
const ADR_HEADINGS = ['## Context', '## Decision', '## Consequences', '## Alternatives'];
const ADR_LINE = 160;

/** The form of decision records and of the walk through the code. Lines of tables may be longer. */
const pageMeasures = (pages: readonly Page[]): readonly Measure[] => {
  const records = pages.filter(({ path }) => path.startsWith('docs/adr/'));
  const long = records.flatMap(({ path, lines }) =>
    lines.flatMap((line, index) => (line.length > ADR_LINE && !line.startsWith('|') ? [`${path}:${index + 1}`] : [])),
  );
  const shapeless = records.filter(
    ({ lines }) =>
      !ADR_TITLE.test(lines[0] ?? '') ||
      lines.find((line, index) => index > 0 && line !== '') !== ADR_HEADINGS[0] ||
      String(lines.filter((line) => line.startsWith('## '))) !== String(ADR_HEADINGS),
  );
  const walk = pages.find(({ path }) => path === 'docs/walk.md')?.lines.length ?? Infinity;
  return [
    { name: `ADRs: lines over ${ADR_LINE} characters`, value: long.length, bar: 0, most: 0, places: long },
    {
      name: 'ADRs: without a numbered title and the four headings',
      value: shapeless.length,
      bar: 0,
      most: 0,
      places: shapeless.map(({ path }) => path),
    },
    { name: 'docs/walk.md: lines', value: walk, bar: 40, most: 40, places: [] },
  ];
};

const LONG_SENTENCE = 25;
const LONGEST_SENTENCE = 40;

/** How much a reader must keep in mind until a sentence ends. */
const sentenceMeasures = (sources: readonly Source[], pages: readonly Page[]): readonly Measure[] => {
  const measure = (name: string, most: number, found: readonly Sentence[]): Measure => ({
    name,
    value: found.length,
    bar: 0,
    most,
    places: found.map(({ place, words, text }) => `${place} ${words} words: ${text}`),
  });
  return [
    measure(`pages: sentences of more than ${LONG_SENTENCE} words`, 0, longSentences(pages, LONG_SENTENCE)),
    measure(`pages: sentences of more than ${LONGEST_SENTENCE} words`, 0, longSentences(pages, LONGEST_SENTENCE)),
    measure(
      `comments: sentences of more than ${LONG_SENTENCE} words`,
      0,
      longCommentSentences([...sources, ...readScripts()], LONG_SENTENCE),
    ),
  ];
};

/** Every measure. Reads and parses all sources: some seconds. */
export const measureCode = (): readonly Measure[] => {
  const sources = readSources();
  const pages = readPages();
  return [
    ...repetitionMeasures(sources),
    ...publicNames(pages),
    ...fileMeasures(sources),
    ...wordingMeasures(sources, pages),
    ...pageMeasures(pages),
    ...sentenceMeasures(sources, pages),
  ];
};
