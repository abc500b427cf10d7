import fc from 'fast-check';

type Parent = Record<string, unknown> | unknown[];

/** One place in a tree of JSON. */
interface Spot {
  readonly parent: Parent;
  readonly key: string;
}

/** What is done to one place; the number chooses the place. */
interface Mutation {
  readonly at: number;
  readonly kind: 'same-sort' | 'any-sort' | 'remove' | 'repeat' | 'odd-key';
  readonly text: string;
  readonly number: number;
  readonly any: unknown;
}

/** Texts that programs trip over: amounts, times, names, keys and patterns at the edge of what is allowed, and beyond. */
export const ODD_TEXTS: readonly string[] = [
  ...[
    '',
    ' ',
    '0',
    '-0',
    '-1',
    '1e309',
    '1e-400',
    '9223372036854775807',
    '9223372036854775808',
    '1E',
    '0.1n',
    '100%',
    '101%',
    '-5%',
    '1e3%',
  ],
  ...['NaN', 'Infinity', '0x10', '٣', '１', '1_000', '+5', '05', '.5', '5.', '1Ki1', 'Ki', '999999999999999999999999999999Ei'],
  ...['9999999999h', '292y', '-1h', '1h1h', '1.5h', '0s', 'Never', 'never', '1d', '2562047h47m16.854775807s'],
  ...['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', '275761-01-01T00:00:00Z', '2026-02-30T00:00:00Z', 'yesterday', '2026-01-01'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'prototype', 'length', 'then'],
  ...['a/b/c', '/', 'kubernetes.io/', '/name', 'karpenter.sh/nodepool', 'topology.kubernetes.io/zone', 'kubernetes.io/hostname'],
  ...['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte', 'DoNotSchedule', 'ScheduleAnyway', 'NoExecute', 'Balanced'],
  ...['* * * * *', '0 0 30 2 *', '@daily', '60 24 * * *', '*/0 * * * *', '1-0 * * * *', 'TZ=Moon/Base * * * * *'],
  ...[
    '\u0000',
    '\ud800',
    'a\u202eb',
    '🙂',
    'İ',
    'ﬁ',
    "'; rm -rf / #",
    '$(id)',
    '`id`',
    '${IFS}',
    '\r\n',
    '%00',
    '../../etc',
    '{{ .Values }}',
  ],
  ...[`${'a'.repeat(300)}!`, `${'a-'.repeat(200)}!`, `${'9'.repeat(400)}x`, '1.'.repeat(300), ' '.repeat(500)],
];

const ODD_NUMBERS: readonly number[] = [
  ...[0, -0, -1, 1, 0.5, 1e-300, 1e300, 2 ** 31 - 1, 2 ** 31, -(2 ** 31), 2 ** 53, 2 ** 53 + 2, 1e18, -1e18, 65_536, 101, 251],
];

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

const ODD_VALUES: readonly unknown[] = [
  ...[null, true, false, [], {}, [null], [[]], [{}], [''], 0, -1, 1.5, '', 'x'],
  range(300).map((index) => ({ key: `k-${index}`, operator: 'Exists' })),
  range(300).map(String),
  Object.fromEntries(range(300).map((index) => [`k-${index}`, 'v'])),
  JSON.parse('{"__proto__":{"a":1},"constructor":null}'),
];

/**
 * Not `fc.string({ unit: 'binary' })`: that maps every code point when it is made, which costs each importer a second
 * and 85 MiB.
 */
const anyText = fc
  .array(fc.integer({ min: 0, max: 0x10_ff_ff }), { maxLength: 20 })
  .map((codePoints) => String.fromCodePoint(...codePoints));

const texts = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...ODD_TEXTS) }, { weight: 1, arbitrary: anyText });
const numbers = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...ODD_NUMBERS) }, { weight: 1, arbitrary: fc.integer() });
const values = fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...ODD_VALUES) }, { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) });

const mutation: fc.Arbitrary<Mutation> = fc.record({
  at: fc.nat(1_000_000),
  kind: fc.constantFrom('same-sort', 'same-sort', 'same-sort', 'same-sort', 'any-sort', 'remove', 'repeat', 'odd-key'),
  ...{ text: texts, number: numbers, any: values },
});

const spotsIn = (tree: unknown, found: Spot[] = []): readonly Spot[] => {
  if (typeof tree !== 'object' || tree === null) return found;
  for (const [key, value] of Object.entries(tree)) {
    found.push({ parent: tree as Parent, key });
    spotsIn(value, found);
  }
  return found;
};

/** Own even where the key is `__proto__`, as `JSON.parse` has it. */
const put = (parent: Parent, key: string, value: unknown): void => {
  // A list of JSON has no keys but its numbers.
  if (Array.isArray(parent) && !/^\d{1,4}$/.test(key)) {
    parent.push(value);
    return;
  }
  Object.defineProperty(parent, key, { value, enumerable: true, configurable: true, writable: true });
};

const ofSameSort = (value: unknown, { text, number, any }: Mutation): unknown => {
  switch (typeof value) {
    case 'string':
      return text;
    case 'number':
      return number;
    case 'boolean':
      return !value;
    default:
      return any;
  }
};

const repeat = ({ parent, key }: Spot, value: unknown): void => {
  if (Array.isArray(parent)) parent.push(structuredClone(value));
  else put(parent, key, [value, value]);
};

const remove = ({ parent, key }: Spot): void => {
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else Reflect.deleteProperty(parent, key);
};

const apply = (tree: unknown, step: Mutation): void => {
  const spots = spotsIn(tree);
  const spot = spots[step.at % Math.max(1, spots.length)];
  if (spot === undefined) return;
  const value: unknown = Reflect.get(spot.parent, spot.key);
  switch (step.kind) {
    case 'same-sort': {
      put(spot.parent, spot.key, ofSameSort(value, step));
      return;
    }
    case 'any-sort': {
      put(spot.parent, spot.key, step.any);
      return;
    }
    case 'remove': {
      remove(spot);
      return;
    }
    case 'repeat': {
      repeat(spot, value);
      return;
    }
    case 'odd-key': {
      put(typeof value === 'object' && value !== null ? (value as Parent) : spot.parent, step.text, step.any);
      return;
    }
  }
};

/**
 * The JSON value with one to four changes by which somebody could break a program that reads it: odd values of the
 * right sort mostly, other sorts, missing and repeated parts, and odd keys.
 */
export const mutationsOf = (base: unknown): fc.Arbitrary<unknown> =>
  fc.array(mutation, { minLength: 1, maxLength: 4 }).map((steps) => {
    const tree: unknown = structuredClone(base);
    // Values are shared by all cases: a later step must not change them.
    for (const step of steps) apply(tree, { ...step, any: structuredClone(step.any) });
    return tree;
  });

/** A mutated value where a text is wanted: `String` would call what an object has under `toString`. */
export const mutatedText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

/** How a case ended that took too long: no case takes a second. */
export const LONGEST_CASE_MS = 1000;

interface Process {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cpuUsage: () => { readonly user: number; readonly system: number };
}

/** Absent where there is no Node. */
const { process } = globalThis as { readonly process?: Process };

/**
 * The cases of one fuzz test: its part, in percent, of `FUZZ_CASES`, by default 10,000.
 * Errors: if `FUZZ_CASES` is no positive whole number.
 */
export const fuzzCases = (percent: number): { readonly numRuns: number } => {
  const all = Number(process?.env['FUZZ_CASES'] ?? '10000');
  if (!Number.isInteger(all) || all < 1) throw new TypeError(`FUZZ_CASES is "${all}": expected a whole number`);
  return { numRuns: Math.ceil((all * percent) / 100) };
};

/** Of this process, not of the wall clock: a case may wait long for a busy machine. */
const cpuMsNow = (): number => {
  if (process === undefined) return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Often enough: two collections of a process's whole garbage do not follow one another. */
const MOST_RUNS = 3;

/**
 * Times the runs of so many cases at once. Returns whether the run that began then took at most a second for each.
 * Errors: it was the third that took longer.
 */
const timedRuns = (cases: number): ((startMs: number) => boolean) => {
  const timesMs: number[] = [];
  return (startMs) => {
    const tookMs = (cpuMsNow() - startMs) / cases;
    if (tookMs <= LONGEST_CASE_MS) return true;
    timesMs.push(Math.round(tookMs));
    if (timesMs.length < MOST_RUNS) return false;
    throw new Error(`the case took ${timesMs.join(', ')} ms`);
  };
};

/**
 * Runs one case, or so many at once. Errors: what it throws; each of three runs took longer than a second of processor
 * time for each case. A run counts whatever the process did meanwhile, and to collect the garbage of all cases before
 * takes seconds; a case that is slow itself is slow each time.
 */
export const withinCaseTime = <T>(run: () => T, cases = 1): T => {
  const isInTime = timedRuns(cases);
  for (;;) {
    const startMs = cpuMsNow();
    const answer = run();
    if (isInTime(startMs)) return answer;
  }
};

/** The same for a case that waits: only what it computes counts. */
export const withinCaseTimeAsync = async <T>(run: () => Promise<T>, cases = 1): Promise<T> => {
  const isInTime = timedRuns(cases);
  for (;;) {
    const startMs = cpuMsNow();
    const answer = await run();
    if (isInTime(startMs)) return answer;
  }
};
