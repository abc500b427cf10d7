/** How a quantity likes to be written: `2Gi` or `2G`. */
export type QuantityFormat = 'binary' | 'decimal';

/** An exact amount in billionths, the finest that Kubernetes knows. */
export interface Quantity {
  readonly nanos: bigint;
  readonly format: QuantityFormat;
}

const SHAPE = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE][+-]?\d+)?$/;
const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const NANOS = 1_000_000_000n;
const LARGEST = (2n ** 63n - 1n) * NANOS;

const awayFromZero = (dividend: bigint, divisor: bigint): bigint => {
  const whole = dividend / divisor;
  if (dividend % divisor === 0n) return whole;
  return dividend < 0n ? whole - 1n : whole + 1n;
};

/** Nanos of one unit as a fraction; exponents beyond what fits into an int64 are cut to where the result saturates anyway. */
const unitOf = (suffix: string): { readonly times: bigint; readonly over: bigint; readonly format: QuantityFormat } => {
  const binary = BINARY_SUFFIXES.indexOf(suffix);
  if (binary > 0) return { times: NANOS * 1024n ** BigInt(binary), over: 1n, format: 'binary' };
  const named = DECIMAL_SUFFIXES.indexOf(suffix);
  const power = named >= 0 ? (named - 3) * 3 : Math.max(-400, Math.min(400, Number(suffix.slice(1))));
  const exponent = power + 9;
  const scale = 10n ** BigInt(Math.abs(exponent));
  return exponent >= 0 ? { times: scale, over: 1n, format: 'decimal' } : { times: 1n, over: scale, format: 'decimal' };
};

/**
 * With so many digits before the point an amount saturates, and so many behind it are below a billionth, whatever the
 * suffix.
 */
const MOST_DIGITS = 1000;

/**
 * The digits before and behind the point, as far as they count. A text of a megabyte is read as fast as one of ten
 * characters.
 */
const boundedDigits = (digits: string): readonly [whole: string, fraction: string] => {
  const [whole = '', fraction = ''] = digits.split('.');
  const significant = whole.replace(/^0+/, '').slice(0, MOST_DIGITS);
  if (fraction.length <= MOST_DIGITS) return [significant, fraction];
  // What is cut off still rounds away from zero.
  const isExact = /^0*$/.test(fraction.slice(MOST_DIGITS));
  return [significant, `${fraction.slice(0, MOST_DIGITS)}${isExact ? '' : '1'}`];
};

/**
 * The amount that a Kubernetes quantity stands for; undefined when the text is no quantity. Finer than a billionth
 * rounds away from zero, larger than an int64 saturates. Source: apimachinery, `resource.ParseQuantity`.
 */
export const parseQuantity = (text: string): Quantity | undefined => {
  const match = SHAPE.exec(text);
  if (match === null) return undefined;
  const [, sign = '', digits = '', suffix = ''] = match;
  const [whole, fraction] = boundedDigits(digits);
  const unit = unitOf(suffix);
  const size = awayFromZero(BigInt(whole + fraction) * unit.times, unit.over * 10n ** BigInt(fraction.length));
  const capped = size > LARGEST ? LARGEST : size;
  return { nanos: sign === '-' ? -capped : capped, format: unit.format };
};

const toSafeInteger = (amount: bigint): number =>
  amount > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Math.max(Number(amount), Number.MIN_SAFE_INTEGER);

/** In thousandths, rounded away from zero as Kubernetes does for cpu. Saturates at 2^53 - 1. */
export const millisOf = (quantity: Quantity): number => toSafeInteger(awayFromZero(quantity.nanos, 1_000_000n));

/** In whole units, rounded away from zero as Kubernetes does for bytes and counts. Saturates at 2^53 - 1. */
export const unitsOf = (quantity: Quantity): number => toSafeInteger(awayFromZero(quantity.nanos, NANOS));

const largestSuffix = (amount: bigint, base: bigint, suffixes: readonly string[]): string => {
  let left = amount;
  let index = 0;
  while (index < suffixes.length - 1 && left % base === 0n) {
    left /= base;
    index++;
  }
  return `${left}${suffixes[index] ?? ''}`;
};

/**
 * The canonical text: no fraction, the largest suffix that needs none (`1536Mi`, `1500m`, `1k`).
 * Source: apimachinery, `Quantity.CanonicalizeBytes`; small or fractional binary amounts turn decimal there too.
 */
export const formatQuantity = ({ nanos, format }: Quantity): string => {
  if (nanos === 0n) return '0';
  const isFractional = nanos % NANOS !== 0n;
  const isSmall = nanos > -1024n * NANOS && nanos < 1024n * NANOS;
  if (format === 'binary' && !isFractional && !isSmall) return largestSuffix(nanos / NANOS, 1024n, BINARY_SUFFIXES);
  return largestSuffix(nanos, 1000n, DECIMAL_SUFFIXES);
};
