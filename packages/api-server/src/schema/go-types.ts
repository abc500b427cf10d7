import type { Schema } from './schema.ts';

const SCALARS: Readonly<Record<string, string>> = { boolean: 'bool', int32: 'int32', int64: 'int64', double: 'float64' };

/** What is written in another form than its type. */
const FORMATS: Readonly<Record<string, string>> = { 'date-time': 'string', 'int-or-string': 'int32' };

/** `PodSpec` of `io.k8s.api.core.v1.PodSpec`; empty for what has no name. */
export const structName = ({ definition = '' }: Schema): string => definition.slice(definition.lastIndexOf('.') + 1);

/** The Go type of a value, as the messages of the decoder name it. */
export const goTypeOf = (schema: Schema): string => {
  const { type = 'string', format = type, items, additionalProperties, definition, goType } = schema;
  if (items !== undefined) return `[]${goTypeOf(items)}`;
  if (typeof additionalProperties === 'object') return mapType(goTypeOf(additionalProperties));
  const named = FORMATS[format] ?? definition?.split('.').slice(-2).join('.');
  return named ?? (goType === undefined ? (SCALARS[format] ?? 'string') : `v1.${goType}`);
};

const mapType = (value: string): string => (value === 'resource.Quantity' ? 'v1.ResourceList' : `map[string]${value}`);
