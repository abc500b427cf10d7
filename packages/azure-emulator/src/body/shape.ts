/** What a part of a request body may be. Data: one value describes one resource's whole body. */
export type BodyShape =
  | { readonly kind: 'anything' }
  | { readonly kind: 'text'; readonly oneOf?: readonly string[]; readonly pattern?: RegExp }
  | { readonly kind: 'flag' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly whole: boolean }
  | { readonly kind: 'list'; readonly of: BodyShape; readonly atLeast: number; readonly atMost: number }
  /** Any keys, one shape of value. */
  | { readonly kind: 'map'; readonly of: BodyShape }
  /** Known keys only. `type` is what Azure calls it in its messages. */
  | { readonly kind: 'record'; readonly type: string; readonly fields: Readonly<Record<string, Field>> };

export interface Field {
  readonly shape: BodyShape;
  readonly required: boolean;
  /** The service answers with it and takes it from nobody. */
  readonly readOnly?: boolean;
}

type Fields = Readonly<Record<string, BodyShape | Field>>;

export const anything: BodyShape = { kind: 'anything' };
export const text = (pattern?: RegExp): BodyShape => ({ kind: 'text', ...(pattern && { pattern }) });
export const oneOfTexts = (...values: readonly string[]): BodyShape => ({ kind: 'text', oneOf: values });
export const flag: BodyShape = { kind: 'flag' };
export const whole = (min: number, max: number): BodyShape => ({ kind: 'number', min, max, whole: true });
export const amount = (min: number, max: number): BodyShape => ({ kind: 'number', min, max, whole: false });
export const list = (of: BodyShape, limits: { readonly atLeast?: number; readonly atMost?: number } = {}): BodyShape => ({
  kind: 'list',
  of,
  atLeast: limits.atLeast ?? 0,
  atMost: limits.atMost ?? Infinity,
});
export const mapOf = (of: BodyShape): BodyShape => ({ kind: 'map', of });
export const requiredMember = (shape: BodyShape): Field => ({ shape, required: true });

/** Fields are optional unless they are wrapped in `required`. */
export const record = (type: string, fields: Fields): BodyShape => ({
  kind: 'record',
  type,
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, 'kind' in field ? { shape: field, required: false } : field]),
  ),
});
