import type { Engine } from '../engine/engine.ts';
import { timestampOf } from '../engine/timestamp.ts';
import type { JsonObject } from '../json/json.ts';
import { asObject } from '../json/json.ts';
import { objectsAt, textAt, valueAt } from '../json/value-at.ts';
import type { Resource } from '../resources/resource.ts';
import { conflict, invalid } from '../status/refusals.ts';
import { required } from '../status/field-error.ts';
import type { StoredObject } from '../store/stored-object.ts';
import { asJson } from '../store/stored-object.ts';
import { readObject } from './read.ts';

/**
 * Assigns a pod to a node, marks it scheduled and ends its nomination, as kube-apiserver does from 1.35 on. Throws an `ApiError` (`Conflict`) when the pod has a node, is going, or is gated.
 */
export const bindPod = (
  engine: Engine,
  pods: Resource,
  binding: { readonly namespace: string; readonly name: string; readonly body: JsonObject },
): StoredObject => {
  const pod = readObject(engine, pods, binding);
  const nodeName = textAt(binding.body, 'target.name');
  if (nodeName === '') throw invalid({ group: '', plural: 'bindings', kind: 'Binding' }, binding.name, [required('target.name')]);
  const refused = (why: string) => conflict({ group: '', plural: 'pods/binding', kind: 'Pod' }, binding.name, why);
  const { metadata } = pod;
  if (metadata.deletionTimestamp !== undefined) throw refused(`pod ${metadata.name} is being deleted, cannot be assigned to a host`);
  const current = textAt(pod, 'spec.nodeName');
  if (current !== '') throw refused(`pod ${metadata.name} is already assigned to node ${JSON.stringify(current)}`);
  if (objectsAt(pod, 'spec.schedulingGates').length > 0) throw refused(`pod ${metadata.name} has non-empty .spec.schedulingGates`);
  const annotations = { ...metadata.annotations, ...(asObject(valueAt(binding.body, 'metadata.annotations')) as Record<string, string>) };
  const { nominatedNodeName: _, ...status } = asObject(pod['status']);
  return engine.store.put('pods', {
    ...asJson(pod),
    metadata: { ...(metadata as unknown as JsonObject), ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
    spec: { ...asObject(pod['spec']), nodeName },
    status: { ...status, conditions: withScheduled(pod, timestampOf(engine.nowMs)) },
  });
};

const withScheduled = (pod: StoredObject, moment: string): JsonObject[] => {
  const others = objectsAt(pod, 'status.conditions').filter(({ type }) => type !== 'PodScheduled');
  return [...others, { type: 'PodScheduled', status: 'True', lastTransitionTime: moment }];
};
