/** What a part of a request body may be. Data: one value describes one resource's whole body. */
export type Shape =
  | { readonly kind: 'anything' }
  | { readonly kind: 'text'; readonly oneOf?: readonly string[]; readonly pattern?: RegExp }
  | { readonly kind: 'flag' }
  | { readonly kind: 'number'; readonly min: number; readonly max: number; readonly whole: boolean }
  | { readonly kind: 'list'; readonly of: Shape; readonly atLeast: number; readonly atMost: number }
  /** Any keys, one shape of value. */
  | { readonly kind: 'map'; readonly of: Shape }
  /** Known keys only. `type` is what Azure calls it in its messages. */
  | { readonly kind: 'record'; readonly type: string; readonly fields: Readonly<Record<string, Field>> };

export interface Field {
  readonly shape: Shape;
  readonly required: boolean;
  /** The service answers with it and takes it from nobody. */
  readonly readOnly?: boolean;
}

type Fields = Readonly<Record<string, Shape | Field>>;

export const anything: Shape = { kind: 'anything' };
export const text = (pattern?: RegExp): Shape => ({ kind: 'text', ...(pattern && { pattern }) });
export const oneOf = (...values: readonly string[]): Shape => ({ kind: 'text', oneOf: values });
export const flag: Shape = { kind: 'flag' };
export const whole = (min: number, max: number): Shape => ({ kind: 'number', min, max, whole: true });
export const amount = (min: number, max: number): Shape => ({ kind: 'number', min, max, whole: false });
export const list = (of: Shape, limits: { readonly atLeast?: number; readonly atMost?: number } = {}): Shape => ({
  kind: 'list',
  of,
  atLeast: limits.atLeast ?? 0,
  atMost: limits.atMost ?? Infinity,
});
export const mapOf = (of: Shape): Shape => ({ kind: 'map', of });
export const required = (shape: Shape): Field => ({ shape, required: true });

/** Fields are optional unless they are wrapped in `required`. */
export const record = (type: string, fields: Fields): Shape => ({
  kind: 'record',
  type,
  fields: Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, 'kind' in field ? { shape: field, required: false } : field]),
  ),
});
