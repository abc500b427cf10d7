import { aksNodeClassV1alpha2 } from '@karpenter/azure';
import { type ConversionNote, convertManifest, coreConverters, type Manifest } from '@karpenter/core/convert';
import { type Document, parseAllDocuments, stringify } from 'yaml';

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
  readonly document: Document;
  readonly manifests: readonly Manifest[];
  /** The text that the document is a part of. */
  readonly source: string;
}

interface Part {
  readonly text: string;
  readonly notes: readonly string[];
}

/** A document as it was written, without the line that parts it from the one before. */
const textOf = (document: Document, source: string): string => {
  const [start, , end] = document.range ?? [0, 0, 0];
  const text = source.slice(start, end).replace(/^\uFEFF?(?:%.*\r?\n)*(?:---[ \t]*\r?\n)?/, '');
  return text.endsWith('\n') ? text : `${text}\n`;
};

/** An object that is current already keeps its text, comments and all. */
const converted = ({ document, manifests, source }: Read): readonly Part[] => {
  const all = manifests.map((manifest) => ({ manifest, conversion: convertManifest(manifest, converters) }));
  const notes = all.flatMap(({ manifest, conversion }) => conversion.notes.map((note) => said(manifest, note)));
  if (all.every(({ manifest, conversion }) => conversion.manifest === manifest)) return [{ text: textOf(document, source), notes }];
  return all.map(({ manifest, conversion }) => ({
    text: stringify(conversion.manifest, { lineWidth: 0 }),
    notes: conversion.notes.map((note) => said(manifest, note)),
  }));
};

/** Nothing is written between two lines `---`, or comments only. */
const isEmpty = (document: Document): boolean => document.errors.length === 0 && (document.toJS() ?? undefined) === undefined;

/** Every object of a YAML text in its current version. Comments are kept only in documents that need no conversion. */
export const convertDocuments = (text: string, source: string): ConvertedText => {
  const documents = parseAllDocuments(text).filter((document) => !isEmpty(document));
  const malformed = documents.flatMap(({ errors }) => errors.map(({ message }) => `${source}: ${message.split('\n')[0] ?? message}`));
  if (malformed.length > 0) return { ok: false, problems: malformed };
  const objects = documents.map((document) => ({ document, manifests: manifestsOf(document.toJS()) }));
  if (objects.length === 0 || !objects.every(({ manifests }) => manifests.every(isManifest))) {
    return { ok: false, problems: [`${source}: expected Kubernetes objects, each with apiVersion and kind`] };
  }
  const parts = objects.flatMap(({ document, manifests }) =>
    converted({ document, manifests: manifests.filter(isManifest), source: text }),
  );
  return { ok: true, text: parts.map((part) => part.text).join('---\n'), notes: parts.flatMap(({ notes }) => notes) };
};
