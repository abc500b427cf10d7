import { type JsonObject, plainText } from '../json/json.ts';
import type { Engine } from './engine.ts';
import { createObject } from '../verbs/create.ts';
import { FIRST_ROLES } from '../access/first-roles.ts';
import { LOCAL_WRITE } from '../verbs/write-options.ts';

const namespace = (name: string): JsonObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });

const priorityClass = (name: string, value: number, description: string): JsonObject => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  value,
  description,
});

const OBJECTS: readonly JsonObject[] = [
  ...['default', 'kube-system', 'kube-public', 'kube-node-lease'].map(namespace),
  priorityClass(
    'system-cluster-critical',
    2_000_000_000,
    'For system pods that must run in the cluster, but can be moved to another node if necessary.',
  ),
  priorityClass('system-node-critical', 2_000_001_000, 'For system pods that must not be moved from their node.'),
  ...FIRST_ROLES,
];

/** Creates what every cluster starts with: namespaces, the system priorities and the first roles. */
export const createFirstObjects = (engine: Engine): void => {
  for (const body of OBJECTS) {
    const resource = engine.registry.byKind(plainText(body['kind']));
    if (resource !== undefined) createObject(engine, { resource, namespace: undefined, body: structuredClone(body) }, LOCAL_WRITE);
  }
};
