/** A parsed quantity: an exact count of nano units, and the suffix family it was written in. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: 'DecimalSI' | 'BinarySI' | 'DecimalExponent';
}

const NANO = 1_000_000_000n;
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const SYNTAX = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/;

/** The words of apimachinery for text that is no quantity. */
export const QUANTITY_SYNTAX = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Reads a quantity, or gives undefined. Fractions below a nano round away from zero, as apimachinery does. */
export const parseQuantity = (text: string): Quantity | undefined => {
  const match = SYNTAX.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent, suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(whole + fraction);
  const binary = BINARY.indexOf(suffix);
  const isBinary = suffix !== '' && binary > 0;
  const power = exponent !== undefined ? Number(exponent.slice(1)) : isBinary ? 0 : (DECIMAL.indexOf(suffix) - 3) * 3;
  const factor = isBinary ? 1024n ** BigInt(binary) : 1n;
  const nanos = scaled(digits * factor, power + 9 - fraction.length);
  const format = exponent !== undefined ? 'DecimalExponent' : isBinary ? 'BinarySI' : 'DecimalSI';
  return { nanos: sign === '-' ? -nanos : nanos, format };
};

const scaled = (value: bigint, power: number): bigint => {
  if (power >= 0) return value * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (value + divisor - 1n) / divisor;
};

/** The one way a quantity is written: no fraction, the largest suffix that keeps it whole. */
export const canonicalQuantity = ({ nanos, format }: Quantity): string => {
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  if (size === 0n) return '0';
  if (format === 'BinarySI' && size >= 1024n * NANO && size % NANO === 0n) {
    const [count, steps] = reduce(size / NANO, 1024n, BINARY.length - 1);
    return `${sign}${count}${BINARY[steps] ?? ''}`;
  }
  const [count, steps] = reduce(size, 1000n, DECIMAL.length - 1);
  if (format === 'DecimalExponent') return steps === 3 ? `${sign}${count}` : `${sign}${count}e${(steps - 3) * 3}`;
  return `${sign}${count}${DECIMAL[steps] ?? ''}`;
};

const reduce = (value: bigint, base: bigint, most: number): readonly [bigint, number] => {
  let steps = 0;
  let count = value;
  while (steps < most && count % base === 0n) {
    count /= base;
    steps += 1;
  }
  return [count, steps];
};
