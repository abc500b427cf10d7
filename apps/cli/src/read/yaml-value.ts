/** What a YAML document holds, or why it holds nothing that could be read to its end. */
export type YamlValue = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

const PROBLEMS: Readonly<Record<string, string>> = {
  // What JSON.stringify throws.
  TypeError: 'an alias stands for something that contains it',
  // What the parser throws past a hundred repetitions.
  ReferenceError: 'its aliases repeat too much',
  RangeError: 'it is nested too deeply',
};

/** Reads it with its aliases resolved. An alias may stand for what contains it, or repeat what repeats others. */
export const yamlValueOf = (document: { toJS(): unknown }): YamlValue => {
  try {
    const value = document.toJS();
    JSON.stringify(value);
    return { ok: true, value };
  } catch (error) {
    const problem = PROBLEMS[error instanceof Error ? error.name : ''];
    if (problem === undefined) throw error;
    return { ok: false, problem };
  }
};
