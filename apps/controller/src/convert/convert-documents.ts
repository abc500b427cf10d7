import { aksNodeClassV1alpha2 } from '@karpenter/azure';
import { type ConversionNote, convertManifest, coreConverters, type Manifest } from '@karpenter/core/convert';
import { type Document, isCollection, parseAllDocuments, stringify, visit } from 'yaml';

const converters = [...coreConverters({ group: 'karpenter.azure.com', kind: 'AKSNodeClass' }), aksNodeClassV1alpha2];

export type ConvertedText =
  /** `text` is YAML; a note names the object that it is about. */
  | { readonly ok: true; readonly text: string; readonly notes: readonly string[] }
  /** One sentence for each place that is no YAML or no Kubernetes object. */
  | { readonly ok: false; readonly problems: readonly string[] };

const nameOf = (manifest: Manifest): string => {
  const { name } = (manifest['metadata'] ?? {}) as { readonly name?: unknown };
  return `${String(manifest['kind'])} ${typeof name === 'string' ? name : '(without a name)'}`;
};

const said = (manifest: Manifest, { field, note }: ConversionNote): string => `${nameOf(manifest)}: ${field}: ${note}`;

const isManifest = (value: unknown): value is Manifest =>
  typeof value === 'object' && value !== null && 'apiVersion' in value && 'kind' in value;

const isList = ({ kind, items }: Manifest): boolean => typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items);

/** The objects of a document: those of a List or a NodePoolList, of whatever depth, or itself. */
const manifestsOf = (value: unknown): readonly unknown[] =>
  isManifest(value) && isList(value) ? (value['items'] as readonly unknown[]).flatMap(manifestsOf) : [value];

interface Read {
  /** As it was written. */
  readonly text: string;
  readonly manifests: readonly Manifest[];
}

interface Part {
  readonly text: string;
  readonly notes: readonly string[];
}

/** A document as it was written, comments before it included, without directives and the line that parts it from the one before. */
const asWritten = (text: string): string => {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const mark = lines.findIndex((line) => /^---(\s|$)/.test(line));
  const kept = lines.flatMap((line, index) => {
    if (index < mark && line.startsWith('%')) return [];
    const rest = index === mark ? line.slice(3).trim() : line;
    return index === mark && rest === '' ? [] : [rest];
  });
  return `${kept.join('\n').replace(/\n$/, '')}\n`;
};

/** An object that is current already keeps its text, comments and all. */
const converted = ({ text, manifests }: Read): readonly Part[] => {
  const all = manifests.map((manifest) => ({ manifest, conversion: convertManifest(manifest, converters) }));
  const notes = all.flatMap(({ manifest, conversion }) => conversion.notes.map((note) => said(manifest, note)));
  if (all.every(({ manifest, conversion }) => conversion.manifest === manifest)) return [{ text, notes }];
  return all.map(({ manifest, conversion }) => ({
    text: stringify(conversion.manifest, { lineWidth: 0 }),
    notes: conversion.notes.map((note) => said(manifest, note)),
  }));
};

/** Nothing is written between two lines `---`, or comments only. */
const isEmpty = (document: Document): boolean => document.errors.length === 0 && (document.toJS() ?? undefined) === undefined;

/** `name: {{ .Values.name }}` of a template is YAML by chance: an object whose key is an object. */
const isTemplate = (document: Document): boolean => {
  let hasOddKey = false;
  visit(document, {
    Pair: (_, { key }) => {
      hasOddKey ||= isCollection(key);
      return hasOddKey ? visit.BREAK : undefined;
    },
  });
  return hasOddKey;
};

const endOf = (document: Document | undefined): number => document?.range?.[2] ?? 0;

/** Every object of a YAML text in its current version. Comments are kept only in documents that need no conversion. */
export const convertDocuments = (text: string, source: string): ConvertedText => {
  const documents = [...parseAllDocuments(text)];
  const malformed = documents.flatMap(({ errors }) => errors.map(({ message }) => `${source}: ${message.split('\n')[0] ?? message}`));
  if (malformed.length > 0) return { ok: false, problems: malformed };
  if (documents.some(isTemplate)) {
    return {
      ok: false,
      problems: [`${source}: expected manifests, not a template ({{ … }}): render it first, with helm template for one`],
    };
  }
  const objects = documents.flatMap((document, index) =>
    isEmpty(document)
      ? []
      : [{ text: asWritten(text.slice(endOf(documents[index - 1]), endOf(document))), manifests: manifestsOf(document.toJS()) }],
  );
  if (objects.length === 0 || !objects.every(({ manifests }) => manifests.every(isManifest))) {
    return { ok: false, problems: [`${source}: expected Kubernetes objects, each with apiVersion and kind`] };
  }
  const parts = objects.flatMap(({ manifests, ...read }) => converted({ ...read, manifests: manifests.filter(isManifest) }));
  return { ok: true, text: parts.map((part) => part.text).join('---\n'), notes: parts.flatMap(({ notes }) => notes) };
};
