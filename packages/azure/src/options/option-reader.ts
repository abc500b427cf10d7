/** Environment variables and flags (name without dashes) as given; a flag wins over its variable. */
export interface GivenOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags: Readonly<Record<string, string | undefined>>;
}

export interface OptionName {
  /** Absent: only the environment variable exists. */
  readonly flag?: string;
  readonly env: string;
}

/** The value, or what would have been right. */
export type OptionValue<T> = { readonly value: T } | { readonly wanted: string; /** It is not shown. */ readonly isSecret?: true };

export interface OptionReader {
  /** Reads one option; `fallback` stands in when it is not given. What is wrong goes to `problems`. */
  read<T>(name: OptionName, fallback: T, parse: (text: string) => OptionValue<T>): T;
  /** Reads one that must be given. */
  require(name: OptionName, parse: (text: string) => OptionValue<string>): string;
  /** Given on purpose as an empty text. */
  isEmpty(name: OptionName): boolean;
  /** One sentence each: flag, value, what would be right. */
  readonly problems: readonly string[];
  complain(problem: string): void;
}

const nameOf = ({ flag, env }: OptionName): string => (flag === undefined ? env : `--${flag} (${env})`);

export const optionReader = ({ env, flags }: GivenOptions): OptionReader => {
  const problems: string[] = [];
  const givenAs = ({ flag, env: variable }: OptionName): string | undefined =>
    (flag === undefined ? undefined : flags[flag]) ?? env[variable];
  const textOf = (name: OptionName): string => givenAs(name) ?? '';
  const read = <T>(name: OptionName, fallback: T, parse: (text: string) => OptionValue<T>): T => {
    const text = textOf(name);
    if (text === '') return fallback;
    const parsed = parse(text);
    if ('value' in parsed) return parsed.value;
    const shown = parsed.isSecret === true ? 'a secret of another form' : JSON.stringify(text);
    problems.push(`${nameOf(name)} is ${shown}: expected ${parsed.wanted}`);
    return fallback;
  };
  return {
    problems,
    read,
    isEmpty: (name) => givenAs(name) === '',
    complain: (problem) => void problems.push(problem),
    require: (name, parse) => {
      if (textOf(name) === '') problems.push(`${nameOf(name)} is missing: it must be set`);
      return read(name, '', parse);
    },
  };
};
