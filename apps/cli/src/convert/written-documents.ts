import { type Document, isCollection, parseAllDocuments, visit } from 'yaml';
import { yamlValueOf } from '../read/yaml-value.ts';

/** One document of a YAML text. */
export interface WrittenDocument {
  /** As it was written, comments before it included; ends with a line end. */
  readonly text: string;
  readonly value: unknown;
}

/** The documents that say something, or one sentence for each place that is no YAML. */
export type WrittenDocuments =
  { readonly ok: true; readonly documents: readonly WrittenDocument[] } | { readonly ok: false; readonly problems: readonly string[] };

const SEPARATOR = /^---(\s|$)/;

/** Without the directives before the line `---`, and without that line itself; what else stands on it is kept. */
const withoutSeparator = (text: string): string => {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  const at = lines.findIndex((line) => SEPARATOR.test(line));
  const before = lines.slice(0, Math.max(at, 0)).filter((line) => !line.startsWith('%'));
  const onSeparator = at < 0 ? '' : (lines[at] ?? '').slice('---'.length).trim();
  const kept = [...before, ...(onSeparator === '' ? [] : [onSeparator]), ...lines.slice(at + 1)];
  return `${kept.join('\n').replace(/\n$/, '')}\n`;
};

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

/** Reads a YAML text that may hold several documents. @param source what problems call it */
export const writtenDocuments = (text: string, source: string): WrittenDocuments => {
  const parsed = [...parseAllDocuments(text)];
  const malformed = parsed.flatMap(({ errors }) => errors.map(({ message }) => `${source}: ${message.split('\n')[0] ?? message}`));
  if (malformed.length > 0) return { ok: false, problems: malformed };
  if (parsed.some(isTemplate)) {
    const problem = `${source}: expected manifests, not a template ({{ … }}): render it first, with helm template for one`;
    return { ok: false, problems: [problem] };
  }
  const documents: WrittenDocument[] = [];
  for (const [index, document] of parsed.entries()) {
    const read = yamlValueOf(document);
    if (!read.ok) return { ok: false, problems: [`${source}: ${read.problem}`] };
    // Nothing is written between two lines `---`, or comments only.
    if (read.value === null || read.value === undefined) continue;
    documents.push({ text: withoutSeparator(text.slice(endOf(parsed[index - 1]), endOf(document))), value: read.value });
  }
  return { ok: true, documents };
};
