import { readFile } from 'node:fs/promises';
import { defaultConstraints, type DefaultSpread, fieldsOf, unknownFields } from './default-constraints.ts';
import { spreadOfScheduler } from './kube-scheduler-configuration.ts';

const refused = (...problems: readonly string[]): DefaultSpread => ({ constraints: [], problems });

/** The document in Karpenter's own shape: `podTopologySpread.defaultConstraints`. */
const spreadOfOwn = (config: Readonly<Record<string, unknown>>): DefaultSpread => {
  const strangers = unknownFields('', config, ['podTopologySpread']);
  const section = config['podTopologySpread'] ?? {};
  const spread = fieldsOf(section);
  if (spread === undefined) return refused(...strangers, 'podTopologySpread must be an object with defaultConstraints');
  const { constraints, problems } = defaultConstraints('podTopologySpread.defaultConstraints', spread['defaultConstraints'] ?? []);
  return { constraints, problems: [...strangers, ...unknownFields('podTopologySpread', spread, ['defaultConstraints']), ...problems] };
};

const spreadOf = (document: unknown): DefaultSpread => {
  // A file of comments only says nothing.
  const config = fieldsOf(document ?? {});
  if (config === undefined) return refused('must be an object with podTopologySpread, or a KubeSchedulerConfiguration');
  return config['kind'] === 'KubeSchedulerConfiguration' ? spreadOfScheduler(config) : spreadOfOwn(config);
};

/** A YAML or JSON object always has a colon before a blank, a bracket or a line's end; no sensible path has one. */
const isDocument = (text: string): boolean =>
  /[:{](?:\s|$)/m.test(text) || text.split('\n').some((line) => line.trimStart().startsWith('{'));

const textOf = async (given: string): Promise<{ readonly text: string } | { readonly problem: string }> => {
  if (isDocument(given)) return { text: given };
  try {
    return { text: await readFile(given, 'utf8') };
  } catch (error) {
    return { problem: `${given} cannot be read: ${String(error).replace(/^Error: /, '')}` };
  }
};

const parsed = async (text: string): Promise<DefaultSpread> => {
  // Loaded when asked for: the controller itself reads no YAML.
  // A split bundle gives what CommonJS exports as the default alone.
  const { default: yaml } = await import('yaml');
  const documents = yaml.parseAllDocuments(text).filter(({ contents }) => contents !== null);
  const malformed = documents.flatMap(({ errors }) => errors.map(({ message }) => message.split('\n')[0] ?? message));
  if (malformed.length > 0) return refused(...malformed);
  if (documents.length > 1) return refused('must be one document');
  let config: unknown;
  try {
    config = documents[0]?.toJS();
    // Fails where an alias stands for what contains it.
    JSON.stringify(config);
  } catch (error) {
    // Aliases that repeat too much or have no anchor, and merges of what is no map.
    return refused(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
  }
  return spreadOf(config);
};

/**
 * The cluster's default spread as `--scheduler-config` says it: a document, or the path of a file with one. Empty: none.
 * Differs: the original takes the document alone, and in its own shape alone.
 */
export const readSchedulerConfig = async (given: string): Promise<DefaultSpread> => {
  if (given === '') return { constraints: [], problems: [] };
  const read = await textOf(given);
  const { constraints, problems } = 'problem' in read ? refused(read.problem) : await parsed(read.text);
  return { constraints, problems: problems.map((problem) => `--scheduler-config (SCHEDULER_CONFIG): ${problem}`) };
};
