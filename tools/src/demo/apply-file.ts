import { readFileSync } from 'node:fs';
import type { KubeClient, KubeObject } from '@karpenter/runtime';
import { parseAllDocuments } from 'yaml';
import { namespaceOf } from '@karpenter/core/internal';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/**
 * The object with what `kubectl apply` searches for in it. A person can then go on with either form of apply, without a
 * conflict or a warning.
 */
const asApplied = (object: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [LAST_APPLIED]: `${JSON.stringify(object)}\n` } },
});

/** Applies every object of a YAML file, server-side and in kubectl's name. Answers their names. */
export const applyFile = async (client: KubeClient, path: string): Promise<readonly string[]> => {
  const objects = parseAllDocuments(readFileSync(path, 'utf8')).map((document) => document.toJS() as KubeObject);
  const names: string[] = [];
  for (const object of objects) {
    const { kind, metadata } = object;
    const namespace = kind === 'Deployment' ? { namespace: namespaceOf(object) } : {};
    await client.patch(kind, { name: metadata.name, ...namespace }, { type: 'apply', body: asApplied(object), fieldManager: 'kubectl' });
    names.push(`${kind.toLowerCase()}/${metadata.name}`);
  }
  return names;
};
