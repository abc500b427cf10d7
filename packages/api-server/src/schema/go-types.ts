import type { Schema } from './schema.ts';

const SCALARS: Readonly<Record<string, string>> = {
  boolean: 'bool',
  int32: 'int32',
  int64: 'int64',
  double: 'float64',
};

/** `PodSpec` of `io.k8s.api.core.v1.PodSpec`; empty for what has no name. */
export const structName = ({ definition = '' }: Schema): string => definition.slice(definition.lastIndexOf('.') + 1);

/** The Go type of a value, as the messages of the decoder name it. */
export const goTypeOf = (schema: Schema): string => {
  const { type = 'string', format = type, items, additionalProperties, definition, goType } = schema;
  if (type === 'array' && items !== undefined) return `[]${goTypeOf(items)}`;
  if (typeof additionalProperties === 'object') return mapType(goTypeOf(additionalProperties));
  if (format === 'date-time') return 'string';
  if (format === 'int-or-string') return 'int32';
  if (definition !== undefined) return definition.split('.').slice(-2).join('.');
  return goType === undefined ? (SCALARS[format] ?? 'string') : `v1.${goType}`;
};

const mapType = (value: string): string => (value === 'resource.Quantity' ? 'v1.ResourceList' : `map[string]${value}`);
