import { readFileSync } from 'node:fs';
import type { KubeClient, KubeObject } from '@karpenter/runtime';
import { parseAllDocuments } from 'yaml';

/** Applies every object of a YAML file, server-side, as `kubectl apply --server-side -f` does. Answers their names. */
export const applyFile = async (client: KubeClient, path: string): Promise<readonly string[]> => {
  const objects = parseAllDocuments(readFileSync(path, 'utf8')).map((document) => document.toJS() as KubeObject);
  const names: string[] = [];
  for (const object of objects) {
    const { kind, metadata } = object;
    const namespace = kind === 'Deployment' ? { namespace: metadata.namespace ?? 'default' } : {};
    await client.patch(kind, { name: metadata.name, ...namespace }, { type: 'apply', body: object, fieldManager: 'karpenter-demo' });
    names.push(`${kind.toLowerCase()}/${metadata.name}`);
  }
  return names;
};
