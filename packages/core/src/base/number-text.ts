/** The least and the greatest number that is accepted. */
export interface NumberRange {
  readonly min: number;
  readonly max: number;
}

/** Whole numbers that are exact and not negative. */
export const COUNTS: NumberRange = { min: 0, max: Number.MAX_SAFE_INTEGER };

/** What Go and Kubernetes read into an `int32`. */
export const INT32: NumberRange = { min: -(2 ** 31), max: 2 ** 31 - 1 };

export const PERCENT: NumberRange = { min: 0, max: 100 };

const WHOLE = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Numbers written with more characters are refused: nobody writes them, and each costs time. */
const MOST_CHARACTERS = 400;

const numberIn = (shape: RegExp, text: string, { min, max }: NumberRange): number | undefined => {
  if (text.length > MOST_CHARACTERS || !shape.test(text)) return undefined;
  const value = Number(text);
  // Adding zero makes -0 a plain zero.
  return value >= min && value <= max ? value + 0 : undefined;
};

/** The whole number that an untrusted text writes in decimal (`12`, `-3`); undefined when it is none or out of range. */
export const wholeNumberIn = (text: string, range: NumberRange): number | undefined => numberIn(WHOLE, text, range);

/**
 * The number that an untrusted text writes in decimal (`1.5`, `.5`, `1e-3`); undefined when it is none or out of range.
 * Never NaN.
 */
export const decimalIn = (text: string, range: NumberRange): number | undefined => numberIn(DECIMAL, text, range);
