/** A parsed quantity: an exact count of nano units, and the suffix family it was written in. */
export interface QuantityValue {
  readonly nanos: bigint;
  readonly format: 'DecimalSI' | 'BinarySI' | 'DecimalExponent';
}

/** The nanos of one. */
export const NANO = 1_000_000_000n;
const DECIMAL = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const SYNTAX = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE][+-]?\d+)|([numkMGTPE]|[KMGTPE]i)?)$/;

/** The words of apimachinery for text that is no quantity. */
export const QUANTITY_SYNTAX = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Reads a quantity, or gives undefined. Fractions below a nano round away from zero, as apimachinery does. */
export const quantityValueOf = (text: string): QuantityValue | undefined => {
  const match = SYNTAX.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent, suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const { power, factor, format } =
    exponent === undefined ? scaleOfSuffix(suffix) : { power: Number(exponent.slice(1)), factor: 1n, format: 'DecimalExponent' as const };
  const nanos = scaled(BigInt(whole + fraction) * factor, power + 9 - fraction.length);
  return { nanos: sign === '-' ? -nanos : nanos, format };
};

/** The nanos of a value; undefined when it is no quantity. */
export const nanosIn = (value: unknown): bigint | undefined => (typeof value === 'string' ? quantityValueOf(value)?.nanos : undefined);

/** A value in nanos; 0 when it is no quantity. */
export const inNanos = (value: unknown): bigint => nanosIn(value) ?? 0n;

const scaleOfSuffix = (suffix: string): { readonly power: number; readonly factor: bigint; readonly format: 'DecimalSI' | 'BinarySI' } => {
  const binary = BINARY.indexOf(suffix);
  if (binary > 0) return { power: 0, factor: 1024n ** BigInt(binary), format: 'BinarySI' };
  return { power: (DECIMAL.indexOf(suffix) - 3) * 3, factor: 1n, format: 'DecimalSI' };
};

const scaled = (value: bigint, power: number): bigint => {
  if (power >= 0) return value * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (value + divisor - 1n) / divisor;
};

/** The one way a quantity is written: no fraction, the largest suffix that keeps it whole. */
export const canonicalQuantity = ({ nanos, format }: QuantityValue): string => {
  if (nanos === 0n) return '0';
  return nanos < 0n ? `-${written(-nanos, format)}` : written(nanos, format);
};

const written = (size: bigint, format: QuantityValue['format']): string => {
  if (format === 'BinarySI' && size >= 1024n * NANO && size % NANO === 0n) {
    const [count, steps] = reduce(size / NANO, 1024n, BINARY.length - 1);
    return `${count}${BINARY[steps] ?? ''}`;
  }
  const [count, steps] = reduce(size, 1000n, DECIMAL.length - 1);
  if (format !== 'DecimalExponent') return `${count}${DECIMAL[steps] ?? ''}`;
  return steps === 3 ? String(count) : `${count}e${(steps - 3) * 3}`;
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
