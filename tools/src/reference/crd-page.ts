import type { CustomResourceDefinition, JsonSchema } from '@karpenter/core';
import type { CrdVersion } from '@karpenter/core/internal';
import { cell, code, generated, markdownTable } from './markdown.ts';
import { rowsOf } from './schema-rows.ts';

const FIELDS = ['Field', 'Type', 'Meaning'];

/** Rules in CEL that hold for the whole of it, a line each. */
const rulesOf = (schema: JsonSchema): string =>
  (schema['x-kubernetes-validations'] ?? []).map(({ message }) => `- ${cell(message)}`).join('\n');

const paragraphs = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join('\n\n');

const sectionOf = (name: string, schema: JsonSchema | undefined): string => {
  const rows = schema === undefined ? [] : rowsOf(name, schema);
  if (schema === undefined || rows.length === 0) return '';
  return paragraphs(`## ${name}`, cell(schema.description ?? ''), markdownTable(FIELDS, rows), rulesOf(schema));
};

const columnsOf = ({ additionalPrinterColumns = [] }: CrdVersion): string =>
  markdownTable(
    ['Column', 'From', ''],
    additionalPrinterColumns.map(({ name, jsonPath, priority = 0 }) => [name, code(jsonPath), priority > 0 ? 'with `-o wide`' : '']),
  );

/** The reference of one kind in its stored version: every field, and what `kubectl get` shows. */
export const crdPage = ({ spec }: CustomResourceDefinition): string => {
  const { group, names, scope, versions } = spec;
  const stored = versions.find(({ storage }) => storage);
  if (stored === undefined) throw new Error(`${names.kind} has no stored version`);
  const others = versions.filter(({ served, storage }) => served && !storage).map(({ name }) => code(`${group}/${name}`));
  const { openAPIV3Schema: schema } = stored.schema;
  const called = [names.plural, ...(names.shortNames ?? [])].map((name) => code(`kubectl get ${name}`)).join(', ');
  const page = paragraphs(
    `${generated}# ${names.kind}`,
    cell(schema.description ?? ''),
    `${code(`${group}/${stored.name}`)}${others.length === 0 ? '' : `, also served as ${others.join(', ')}`}; ${scope === 'Cluster' ? 'cluster-scoped' : 'in a namespace'}; ${called}. A star marks what must be given.`,
    rulesOf(schema),
    ...['spec', 'status'].map((name) => sectionOf(name, schema.properties?.[name])),
    `## What kubectl get shows\n\n${columnsOf(stored)}`,
  );
  return `${page}\n`;
};
