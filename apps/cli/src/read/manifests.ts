import { isRecord } from '@karpenter/core/internal';
import type { KubeObject } from '@karpenter/runtime';
import { CommandError, COMMAND_EXIT, reasonOf } from '../exit-code.ts';
import { yamlValueOf } from './yaml-value.ts';

const unreadable = (source: string, why: string, cause?: unknown): CommandError =>
  new CommandError(COMMAND_EXIT.unreadable, `${source} cannot be read: ${why}`, cause);

/** The text of a file; `-` is standard input. */
export type ReadText = (file: string) => Promise<string>;

const textOf = async (file: string, readText: ReadText): Promise<string> => {
  const text = await readText(file).catch((error: unknown) => {
    throw unreadable(file, reasonOf(error), error);
  });
  if (text.trim() === '') throw unreadable(file === '-' ? 'standard input' : file, 'it is empty');
  return text;
};

const parseDocuments = async (content: string, source: string): Promise<readonly unknown[]> => {
  try {
    // What kubectl writes with `-o json` is large: JSON.parse reads it a hundred times as fast as a YAML parser.
    if (content.trimStart().startsWith('{')) return [JSON.parse(content) as unknown];
  } catch (error) {
    throw unreadable(source, reasonOf(error), error);
  }
  // A split bundle gives what CommonJS exports as the default alone.
  const { default: yaml } = await import('yaml');
  const documents = [...yaml.parseAllDocuments(content)];
  const [problem] = documents.flatMap(({ errors }) => errors);
  if (problem !== undefined) throw unreadable(source, problem.message.split('\n')[0]?.replace(/:$/, '') ?? '', problem);
  return documents.map((document) => {
    const read = yamlValueOf(document);
    if (!read.ok) throw unreadable(source, read.problem);
    return read.value;
  });
};

/** A manifest: it has a kind and a name. Lists are taken apart, empty documents passed over. */
const objectsIn = (document: unknown, source: string): readonly KubeObject[] => {
  if (document === null || document === undefined) return [];
  if (!isRecord(document) || typeof document['kind'] !== 'string') throw unreadable(source, 'it holds something that is no manifest');
  const { items, metadata } = document;
  if (Array.isArray(items)) return items.flatMap((item: unknown) => objectsIn(item, source));
  if (!isRecord(metadata) || typeof metadata['name'] !== 'string') {
    throw unreadable(source, `a ${document['kind']} has no metadata.name`);
  }
  return [document as unknown as KubeObject];
};

/**
 * The objects of YAML and JSON files, in their order; `-` is standard input. Lists, as `kubectl get -o json` writes
 * them, are taken apart. Errors: CommandError that names the file.
 */
export const readManifests = async (files: readonly string[], readText: ReadText): Promise<readonly KubeObject[]> => {
  const objects: KubeObject[] = [];
  for (const file of files) {
    const source = file === '-' ? 'standard input' : file;
    for (const document of await parseDocuments(await textOf(file, readText), source))
      for (const object of objectsIn(document, source)) objects.push(object);
  }
  return objects;
};
