/**
 * What is wrong with a value that a person wrote: where it stands, what it is, and what would be accepted. A value,
 * never thrown.
 */
export interface FieldProblem {
  /** Path from the object's root: `spec.template.spec.requirements[2].values[0]`. */
  readonly field: string;
  readonly value: string;
  readonly problem: string;
}

/** Whether this is a problem and not the expected value; no domain value of this library has all three fields. */
export const isFieldProblem = (value: object): value is FieldProblem => 'field' in value && 'value' in value && 'problem' in value;
