/** What a time is made of: the layout's word for each part, and the text that it accepts. */
const PARTS: readonly (readonly [string, RegExp])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d{2}/],
  ['-', /^-/],
  ['02', /^\d{2}/],
  ['T', /^T/],
  ['15', /^\d{2}/],
  [':', /^:/],
  ['04', /^\d{2}/],
  [':', /^:/],
  ['05', /^\d{2}/],
];
const FRACTION = { time: ['', /^(\.\d+)?/], microtime: ['.000000', /^\.\d{6}(?!\d)/] } as const;
const ZONE = ['Z07:00', /^(Z|[+-]\d{2}:\d{2})/] as const;

/** A time read as Go's `time.Parse` does: its canonical text in UTC, or the words of the refusal. */
export type ParsedTime = { readonly text: string } | { readonly problem: string };

/** Reads a `metav1.Time` (whole seconds) or `MicroTime` (six digits of a second, always written). */
export const parseGoTime = (text: string, precision: 'time' | 'microtime'): ParsedTime => {
  const layout = `2006-01-02T15:04:05${FRACTION[precision][0]}Z07:00`;
  const wrong = (why: string): ParsedTime => ({ problem: `parsing time ${JSON.stringify(text)}${why}` });
  let rest = text;
  for (const [word, pattern] of [...PARTS, FRACTION[precision], ZONE]) {
    const found = pattern.exec(rest);
    if (found === null) return wrong(` as "${layout}": cannot parse ${JSON.stringify(rest)} as "${word}"`);
    rest = rest.slice(found[0].length);
  }
  if (rest !== '') return wrong(`: extra text: ${JSON.stringify(rest)}`);
  const outside = outsideOf(text);
  if (outside !== undefined) return wrong(`: ${outside} out of range`);
  return { text: canonical(text, precision) };
};

const outsideOf = (text: string): string | undefined => {
  const [month = 0, day = 0, hour = 0, minute = 0, second = 0] = [5, 8, 11, 14, 17].map((start) => Number(text.slice(start, start + 2)));
  const days = new Date(Date.UTC(Number(text.slice(0, 4)), month, 0)).getUTCDate();
  const checks = [
    ['month', month >= 1 && month <= 12],
    ['hour', hour < 24],
    ['minute', minute < 60],
    ['second', second < 60],
    ['day', day >= 1 && day <= days],
  ] as const;
  return checks.find(([, inside]) => !inside)?.[0];
};

const canonical = (text: string, precision: 'time' | 'microtime'): string => {
  const seconds = new Date(text).toISOString().slice(0, 19);
  const micros = /\.(\d{6})/.exec(text)?.[1] ?? '000000';
  return precision === 'time' ? `${seconds}Z` : `${seconds}.${micros}Z`;
};
