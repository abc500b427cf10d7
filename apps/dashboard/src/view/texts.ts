const digitsOf = (amount: number): number => (amount < 100 ? 3 : amount < 1000 ? 2 : 0);

/** `$1.366`, `$2,573` */
export const dollars = (amount: number): string => {
  const digits = digitsOf(amount);
  return `$${amount.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })}`;
};

/** `$997` */
export const dollarsAMonth = (perHour: number): string =>
  `$${(perHour * 730).toLocaleString('en-US', { maximumFractionDigits: perHour < 0.1 ? 2 : 0 })}`;

const STEPS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
];

/** `12m`: a duration in its largest whole unit. */
export const ageText = (ms: number): string => {
  const [unit, size] = STEPS.find(([, each]) => ms >= each) ?? ['s', 1000];
  return `${Math.max(0, Math.floor(ms / size))}${unit}`;
};

const pad = (number: number): string => String(number).padStart(2, '0');

/** `12:30:05`, in the time zone of the browser. */
export const clockText = (ms: number): string => {
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(pad).join(':');
};

/** A time below a chart whose marks are so many seconds apart: `12:30:05`, `12:30` or `11-24`, in the time zone of the browser. */
export const tickText = (ms: number, stepSeconds: number): string => {
  const date = new Date(ms);
  if (stepSeconds >= 86_400) return [date.getMonth() + 1, date.getDate()].map(pad).join('-');
  return clockText(ms).slice(0, stepSeconds >= 60 ? 5 : 8);
};
