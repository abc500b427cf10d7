import { celBinary } from './cel-arithmetic.ts';
import { celArgumentAt, celStrings } from './cel-strings.ts';
import type { CelFunction } from './cel-strings.ts';
import { celCompare, celEquals, CelError, CelOptional, isCelList, sortOf } from './cel-value.ts';
import type { CelList, CelValue } from './cel-value.ts';

/** The list that a function is about. Throws a `CelError` for anything else. */
const listOf = (args: readonly CelValue[]): CelList => {
  const value = celArgumentAt(args, 0);
  if (!isCelList(value)) throw new CelError(`no such overload: a list was expected instead of ${sortOf(value)}`);
  return value;
};

/** The first of the items by the order. Throws a `CelError` where there is none. */
const firstBy = (args: readonly CelValue[], order: (a: CelValue, b: CelValue) => number): CelValue => {
  const [first, ...others] = listOf(args);
  if (first === undefined) throw new CelError('min or max of an empty list');
  return others.reduce((best, each) => (order(each, best) < 0 ? each : best), first);
};

const isSorted: CelFunction = (args) =>
  listOf(args).every((each, index, all) => index === 0 || celCompare(all[index - 1] ?? null, each) <= 0);

const slice: CelFunction = (args) => {
  const list = listOf(args);
  const [from, to] = [celArgumentAt(args, 1), celArgumentAt(args, 2)];
  if (typeof from !== 'bigint' || typeof to !== 'bigint') throw new CelError('no such overload: slice needs two ints');
  if (from < 0n || to < from || to > BigInt(list.length)) throw new CelError(`cannot slice(${from}, ${to}), list is length ${list.length}`);
  return list.slice(Number(from), Number(to));
};

/** A function of lists where the first argument is one, else of texts. */
const ofListOr = (name: string, find: (list: CelList, item: CelValue) => number): CelFunction => {
  const ofText = celStrings[name];
  return (args) => {
    const first = celArgumentAt(args, 0);
    if (!isCelList(first) && ofText !== undefined) return ofText(args);
    return BigInt(find(listOf(args), celArgumentAt(args, 1)));
  };
};

/** Functions about lists. Source: Kubernetes' CEL libraries for lists, and cel-go's. */
export const celLists: Readonly<Record<string, CelFunction>> = {
  sum: (args) => listOf(args).reduce((sum, each) => celBinary('+', sum, each), typeof listOf(args)[0] === 'number' ? 0 : 0n),
  min: (args) => firstBy(args, celCompare),
  max: (args) => firstBy(args, (a, b) => celCompare(b, a)),
  isSorted,
  slice,
  sort: (args) => [...listOf(args)].sort(celCompare),
  reverse: (args) => [...listOf(args)].reverse(),
  first: (args) => new CelOptional(listOf(args)[0]),
  last: (args) => new CelOptional(listOf(args).at(-1)),
  indexOf: ofListOr('indexOf', (list, item) => list.findIndex((each) => celEquals(each, item))),
  lastIndexOf: ofListOr('lastIndexOf', (list, item) => list.findLastIndex((each) => celEquals(each, item))),
};
