/**
 * Which values of one label a node may have. `values` and `mayBeAbsent` are kept apart, so that "the label must be
 * missing", "no value is left" and "anything goes" are three different things.
 *
 * Law: `admits(and(a, b), v) = admits(a, v) && admits(b, v)` for every value `v` and for the missing label.
 */
export interface Requirement {
  readonly key: string;
  readonly values: ValueSet;
  /** Whether a node without this label satisfies the requirement (`NotIn`, `DoesNotExist`). */
  readonly mayBeAbsent: boolean;
  /** How many distinct values the chosen instance types must offer for this key. */
  readonly minValues?: number;
}

/**
 * `in`: exactly these (empty: none). `not-in`: all but these, and within the integer bounds where given (a non-integer
 * value is out of bounds).
 */
export type ValueSet =
  | { readonly kind: 'in'; readonly values: ReadonlySet<string> }
  | { readonly kind: 'not-in'; readonly values: ReadonlySet<string>; readonly gte?: number; readonly lte?: number };
