const rounded = (value: number, digits: number): string => String(Number(value.toFixed(digits)));

const inSteps = (value: number): string => {
  const size = Math.abs(value);
  if (size >= 1e6) return `${rounded(value / 1e6, 1)} M`;
  if (size >= 1e3) return `${rounded(value / 1e3, 1)} K`;
  return rounded(value, size < 0.1 ? 3 : 2);
};

const duration = (seconds: number): string => {
  const size = Math.abs(seconds);
  if (size === 0) return '0 s';
  if (size < 0.001) return `${rounded(seconds * 1e6, 0)} µs`;
  if (size < 1) return `${rounded(seconds * 1e3, 1)} ms`;
  if (size < 90) return `${rounded(seconds, 1)} s`;
  return `${rounded(seconds / 60, 1)} min`;
};

const units: Readonly<Record<string, (value: number) => string>> = {
  s: duration,
  percent: (value) => `${rounded(value, 1)} %`,
  percentunit: (value) => `${rounded(value * 100, 1)} %`,
  currencyUSD: (value) => `$${rounded(value, 2)}`,
  ops: (value) => `${inSteps(value)} ops/s`,
  reqps: (value) => `${inSteps(value)} req/s`,
  bool_yes_no: (value) => (value === 0 ? 'No' : 'Yes'),
  short: inSteps,
};

/** A value as a person reads it. `unit` is Grafana's name of one. */
export const valueInUnit = (value: number, unit: string): string => {
  const written = units[unit];
  if (written === undefined) throw new Error(`no way is known to write the unit ${unit}`);
  return written(value);
};
