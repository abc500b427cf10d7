import { parseArmId } from '../arm-id.ts';
import type { ArmResource } from './write-log.ts';

/** A row of the `Resources` table: types and groups are in lower case there. */
export type GraphAnswerRow = Readonly<Record<string, unknown>>;

export const graphAnswerRowOf = (resource: ArmResource): GraphAnswerRow => {
  const id = parseArmId(resource.id);
  return {
    ...resource,
    type: resource.type.toLowerCase(),
    resourceGroup: id?.resourceGroup.toLowerCase() ?? '',
    subscriptionId: id?.subscriptionId ?? '',
    tags: resource.tags ?? null,
  };
};

type RowTest = (row: GraphAnswerRow) => boolean;

export type GraphQuery =
  | { readonly kind: 'query'; readonly test: RowTest; readonly columns: readonly string[] | undefined }
  | { readonly kind: 'unreadable'; readonly part: string };

const tagsOf = (row: GraphAnswerRow): Readonly<Record<string, unknown>> => (row['tags'] ?? {}) as Readonly<Record<string, unknown>>;

const textOf = (row: GraphAnswerRow, column: string): string => String(row[column]);

/** Predicates: pattern → test. The quotes are part of the pattern; both kinds are allowed. */
const PREDICATES: readonly { readonly pattern: RegExp; readonly test: (name: string, value: string) => RowTest }[] = [
  { pattern: /^(\w+)\s*==\s*(?:"([^"]*)"|'([^']*)')$/, test: (column, value) => (row) => textOf(row, column) === value },
  {
    pattern: /^(\w+)\s*=~\s*(?:"([^"]*)"|'([^']*)')$/,
    test: (column, value) => (row) => textOf(row, column).toLowerCase() === value.toLowerCase(),
  },
  { pattern: /^(tags)\s+has_cs\s+(?:"([^"]*)"|'([^']*)')$/, test: (_tags, key) => (row) => key in tagsOf(row) },
  { pattern: /^(tags)\s+!has_cs\s+(?:"([^"]*)"|'([^']*)')$/, test: (_tags, key) => (row) => !(key in tagsOf(row)) },
  { pattern: /^isnot(?:null|empty)\((tags)\[(?:"([^"]*)"|'([^']*)')\]\)$/, test: (_tags, key) => (row) => key in tagsOf(row) },
  { pattern: /^is(?:null|empty)\((tags)\[(?:"([^"]*)"|'([^']*)')\]\)$/, test: (_tags, key) => (row) => !(key in tagsOf(row)) },
];

const predicateOf = (text: string): RowTest | undefined => {
  const negated = /^not\s*\((.*)\)$/.exec(text)?.[1];
  if (negated !== undefined) {
    const inner = predicateOf(negated.trim());
    return inner && ((row) => !inner(row));
  }
  for (const { pattern, test } of PREDICATES) {
    const match = pattern.exec(text);
    if (match) return test(match[1] ?? '', match[2] ?? match[3] ?? '');
  }
  return undefined;
};

/** A stage behind the table's name: row tests, the columns it keeps, or neither when it cannot be read. */
const stageOf = (stage: string): { readonly tests: readonly RowTest[]; readonly columns?: readonly string[] } | undefined => {
  const [, verb, rest = ''] = /^(\w+)\s([\s\S]*)$/.exec(stage) ?? [];
  if (verb === 'project') return { tests: [], columns: rest.split(',').map((column) => column.trim()) };
  if (verb !== 'where') return undefined;
  const tests = rest.split(/\sand\s/).map((predicate) => predicateOf(predicate.trim()));
  return tests.every((test) => test !== undefined) ? { tests } : undefined;
};

/**
 * Reads the small part of Resource Graph's query language that finds machines and interfaces: the table `Resources`,
 * `where` with equality and tag tests joined by `and`, and `project`.
 */
export const parseGraphQuery = (query: string): GraphQuery => {
  const [table = '', ...stages] = query.split('|').map((part) => part.trim());
  if (table.toLowerCase() !== 'resources') return { kind: 'unreadable', part: table };
  const tests: RowTest[] = [];
  let columns: readonly string[] | undefined;
  for (const text of stages) {
    const stage = stageOf(text);
    if (stage === undefined) return { kind: 'unreadable', part: text };
    tests.push(...stage.tests);
    columns = stage.columns ?? columns;
  }
  return { kind: 'query', test: (row) => tests.every((test) => test(row)), columns };
};
