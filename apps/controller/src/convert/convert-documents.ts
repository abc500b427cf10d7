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

/** The objects of a document: those of a List, or itself. */
const manifestsOf = (value: Manifest): readonly unknown[] =>
  value['kind'] === 'List' && Array.isArray(value['items']) ? value['items'] : [value];

interface Part {
  readonly text: string;
  readonly notes: readonly string[];
}

/** An object that is current already keeps its text, comments and all. */
const converted = (document: Document, manifests: readonly Manifest[]): readonly Part[] => {
  const all = manifests.map((manifest) => ({ manifest, conversion: convertManifest(manifest, converters) }));
  const notes = all.flatMap(({ manifest, conversion }) => conversion.notes.map((note) => said(manifest, note)));
  if (all.every(({ manifest, conversion }) => conversion.manifest === manifest)) return [{ text: document.toString(), notes }];
  return all.map(({ manifest, conversion }) => ({
    text: stringify(conversion.manifest, { lineWidth: 0 }),
    notes: conversion.notes.map((note) => said(manifest, note)),
  }));
};

/** Every object of a YAML text in its current version. Comments are kept only in documents that need no conversion. */
export const convertDocuments = (text: string, source: string): ConvertedText => {
  const documents = parseAllDocuments(text).filter(({ contents }) => contents !== null);
  const malformed = documents.flatMap(({ errors }) => errors.map(({ message }) => `${source}: ${message.split('\n')[0] ?? message}`));
  if (malformed.length > 0) return { ok: false, problems: malformed };
  const read = documents.map((document) => ({ document, value: document.toJS() as unknown }));
  const objects = read.map(({ document, value }) => ({ document, manifests: isManifest(value) ? manifestsOf(value) : [value] }));
  const strangers = objects.filter(({ manifests }) => !manifests.every(isManifest));
  if (strangers.length > 0 || objects.length === 0) {
    return { ok: false, problems: [`${source}: expected Kubernetes objects, each with apiVersion and kind`] };
  }
  const parts = objects.flatMap(({ document, manifests }) => converted(document, manifests.filter(isManifest)));
  return { ok: true, text: parts.map((part) => part.text.replace(/^---\n/, '')).join('---\n'), notes: parts.flatMap(({ notes }) => notes) };
};
