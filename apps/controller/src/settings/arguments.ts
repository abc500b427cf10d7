/** Flag name (without dashes) → text as given; a flag without a value is `true`. */
export type Arguments = Readonly<Record<string, string>>;

export interface ArgumentsResult {
  readonly given: Arguments;
  /** One sentence for each argument that is no flag, or is given twice. */
  readonly problems: readonly string[];
}

interface Flag {
  readonly name: string;
  readonly value: string;
  /** How many arguments it took. */
  readonly width: number;
}

const flagAt = (argv: readonly string[], index: number): Flag | undefined => {
  const text = argv[index];
  if (!text?.startsWith('--') || text.length === 2) return undefined;
  const equals = text.indexOf('=');
  if (equals > 0) return { name: text.slice(2, equals), value: text.slice(equals + 1), width: 1 };
  const next = argv[index + 1];
  if (next === undefined || next.startsWith('--')) return { name: text.slice(2), value: 'true', width: 1 };
  return { name: text.slice(2), value: next, width: 2 };
};

/**
 * Splits a command line into flags: `--name value`, `--name=value`, or `--name` alone for `true`. What they mean is the
 * caller's.
 */
export const parseArguments = (argv: readonly string[]): ArgumentsResult => {
  // Flags may be called as parts of every object are.
  const given = new Map<string, string>();
  const problems: string[] = [];
  for (let index = 0; index < argv.length;) {
    const flag = flagAt(argv, index);
    if (!flag) {
      problems.push(`argument ${JSON.stringify(argv[index])} is not a flag; flags look like --name value or --name=value`);
      index += 1;
      continue;
    }
    if (given.has(flag.name)) problems.push(`flag --${flag.name} is given twice`);
    given.set(flag.name, flag.value);
    index += flag.width;
  }
  return { given: Object.fromEntries(given), problems };
};
