import type { JsonSchema } from '@karpenter/core';
import { cell, code } from './markdown.ts';

interface Field {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/** Longer ones say nothing that the name of the field does not. */
const LONGEST_PATTERN = 60;

const typeOf = (schema: JsonSchema): string => {
  if (schema['x-kubernetes-int-or-string'] === true) return 'quantity';
  if (schema.items !== undefined) return `list of ${typeOf(schema.items)}`;
  if (schema.additionalProperties !== undefined) return `map of ${typeOf(schema.additionalProperties)}`;
  return schema.format === 'date-time' ? 'time' : (schema.type ?? 'anything');
};

const rangeOf = ({ minimum, maximum }: JsonSchema): string => {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}.`;
  if (minimum !== undefined) return `At least ${minimum}.`;
  return maximum === undefined ? '' : `At most ${maximum}.`;
};

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.?!]$/.test(text) ? '' : '.'}`;

const rulesOf = (schema: JsonSchema): readonly string[] => [
  ...(schema['x-kubernetes-validations'] ?? []).map(({ message }) => message),
  ...(schema.items === undefined ? [] : rulesOf(schema.items)),
];

/** A value as it would be written in a manifest. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const meaningOf = (schema: JsonSchema): string => {
  const values = schema.enum ?? schema.items?.enum;
  const parts = [
    cell(schema.description ?? ''),
    values === undefined ? '' : `One of ${values.map((value) => code(value)).join(', ')}.`,
    schema.default === undefined ? '' : `Default: ${code(textOf(schema.default))}.`,
    rangeOf(schema),
    schema.pattern === undefined || schema.pattern.length > LONGEST_PATTERN ? '' : `Matches ${code(schema.pattern)}.`,
    schema.maxItems === undefined ? '' : `At most ${schema.maxItems} of them.`,
    ...rulesOf(schema).map((rule) => cell(sentence(rule))),
  ];
  return parts.filter((part) => part !== '').join(' ');
};

const childrenOf = ({ path, schema }: Field): readonly Field[] => {
  const inner = schema.items ?? schema;
  const at = schema.items === undefined ? path : `${path}[]`;
  return Object.entries(inner.properties ?? {}).map(([name, child]) => ({
    path: `${at}.${name}`,
    schema: child,
    isRequired: inner.required?.includes(name) === true,
  }));
};

const rowOf = ({ path, schema, isRequired }: Field): readonly string[] => [
  `${code(path)}${isRequired ? ' *' : ''}`,
  typeOf(schema),
  meaningOf(schema),
];

/** Path, type and meaning of a field and of all that is in it; a star stands after those that must be given. */
export const rowsOf = (path: string, schema: JsonSchema): readonly (readonly string[])[] => {
  const walk = (field: Field): readonly (readonly string[])[] => [rowOf(field), ...childrenOf(field).flatMap(walk)];
  return childrenOf({ path, schema, isRequired: true }).flatMap(walk);
};
