/** What a YAML document holds, or why it holds nothing that could be read to its end. */
export type YamlValue = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

const problemOf = ({ name, message }: Error): string => {
  // What JSON.stringify throws.
  if (name === 'TypeError') return 'an alias stands for something that contains it';
  if (name === 'RangeError') return 'it is nested too deeply';
  // What the parser throws past a hundred repetitions.
  return message.startsWith('Excessive alias count') ? 'its aliases repeat too much' : message;
};

/** Reads it with its aliases resolved. An alias may stand for what contains it, or repeat what repeats others. */
export const yamlValueOf = (document: { toJS(): unknown }): YamlValue => {
  try {
    const value = document.toJS();
    JSON.stringify(value);
    return { ok: true, value };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { ok: false, problem: problemOf(error) };
  }
};
