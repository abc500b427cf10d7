import { aksNodeClassV1alpha2 } from '@karpenter/azure';
import { type ConversionNote, convertManifest, coreConverters, type Manifest } from '@karpenter/core/convert';
import { manifestText } from './manifest-text.ts';
import { writtenDocuments } from './written-documents.ts';

const converters = [...coreConverters({ group: 'karpenter.azure.com', kind: 'AKSNodeClass' }), aksNodeClassV1alpha2];

export type ConvertedText =
  /** `text` is YAML; a note names the object that it is about. `canBeApplied`: no object has to be mended by hand first. */
  | { readonly ok: true; readonly text: string; readonly notes: readonly string[]; readonly canBeApplied: boolean }
  /** One sentence for each place that is no YAML or no Kubernetes object. */
  | { readonly ok: false; readonly problems: readonly string[] };

const nameOf = (manifest: Manifest): string => {
  const { name } = (manifest['metadata'] ?? {}) as { readonly name?: unknown };
  return `${String(manifest['kind'])} ${typeof name === 'string' ? name : '(without a name)'}`;
};

const sentenceOf = (manifest: Manifest, { field, note }: ConversionNote): string => `${nameOf(manifest)}: ${field}: ${note}`;

const isManifest = (value: unknown): value is Manifest =>
  typeof value === 'object' && value !== null && 'apiVersion' in value && 'kind' in value;

const isList = ({ kind, items }: Manifest): boolean => typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items);

/** The objects of a document: those of a List or a NodePoolList, of whatever depth, or itself. */
const objectsOf = (value: unknown): readonly unknown[] =>
  isManifest(value) && isList(value) ? (value['items'] as readonly unknown[]).flatMap(objectsOf) : [value];

type ConvertedDocument = Omit<Extract<ConvertedText, { readonly ok: true }>, 'ok'>;

const merged = (documents: readonly ConvertedDocument[]): ConvertedDocument => ({
  text: documents.map(({ text }) => text).join('---\n'),
  notes: documents.flatMap(({ notes }) => notes),
  canBeApplied: documents.every(({ canBeApplied }) => canBeApplied),
});

/**
 * The documents that become of one: a List that is converted is taken apart. What is current already keeps its text,
 * comments and all.
 */
const convertDocument = (written: string, manifests: readonly Manifest[]): ConvertedDocument => {
  const conversions = manifests.map((manifest) => convertManifest(manifest, converters));
  const isCurrent = conversions.every(({ manifest }, index) => manifest === manifests[index]);
  const all = merged(
    conversions.map(({ manifest, notes }, index) => ({
      text: manifestText(manifest),
      notes: notes.map((note) => sentenceOf(manifests[index] ?? manifest, note)),
      canBeApplied: !notes.some(({ mustBeMended }) => mustBeMended),
    })),
  );
  return isCurrent ? { ...all, text: written } : all;
};

/** Every object of a YAML text in its current version. Comments are kept only in documents that need no conversion. */
export const convertDocuments = (text: string, source: string): ConvertedText => {
  const read = writtenDocuments(text, source);
  if (!read.ok) return read;
  const documents = read.documents.map((document) => ({ text: document.text, objects: objectsOf(document.value) }));
  if (documents.length === 0 || !documents.every(({ objects }) => objects.every(isManifest))) {
    return { ok: false, problems: [`${source}: expected Kubernetes objects, each with apiVersion and kind`] };
  }
  return { ok: true, ...merged(documents.map(({ text: written, objects }) => convertDocument(written, objects.filter(isManifest)))) };
};
