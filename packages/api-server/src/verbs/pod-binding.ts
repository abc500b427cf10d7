import { kubeTime } from '@karpenter/runtime';
import type { Engine } from '../engine/engine.ts';
import { asRecord, type JsonObject, objectsAt, textAt, valueAt } from '../json/json.ts';
import type { Resource } from '../resources/resource.ts';
import { conflict, failure } from '../status/refusals.ts';
import { requiredAt, textOf, unsupported } from '../status/field-error.ts';
import { asJson, asStored, type StoredObject } from '../store/stored-object.ts';
import { unmet } from './identity.ts';
import { readObject } from './read.ts';

/**
 * Assigns a pod to a node, marks it scheduled and ends its nomination, as kube-apiserver does from 1.35 on. Throws an
 * `ApiError` (`Conflict`) when the pod has a node, is going, or is gated.
 */
export const createBinding = (
  engine: Engine,
  pods: Resource,
  binding: { readonly namespace: string; readonly name: string; readonly body: JsonObject; readonly dryRun?: boolean },
): StoredObject => {
  const nodeName = targetOf(binding.body);
  const pod = readObject(engine, pods, binding);
  refuseOtherPod(pods, pod, asRecord(binding.body['metadata']));
  const refused = (why: string) => conflict({ group: '', plural: 'pods/binding', kind: 'Pod' }, binding.name, why);
  const { metadata } = pod;
  if (metadata.deletionTimestamp !== undefined) throw refused(`pod ${metadata.name} is being deleted, cannot be assigned to a host`);
  const current = textAt(pod, 'spec.nodeName');
  if (current !== '') throw refused(`pod ${metadata.name} is already assigned to node ${JSON.stringify(current)}`);
  if (objectsAt(pod, 'spec.schedulingGates').length > 0) throw refused(`pod ${metadata.name} has non-empty .spec.schedulingGates`);
  const annotations = { ...metadata.annotations, ...(asRecord(valueAt(binding.body, 'metadata.annotations')) as Record<string, string>) };
  const { nominatedNodeName: _, ...status } = asRecord(pod['status']);
  const bound: JsonObject = {
    ...asJson(pod),
    metadata: { ...(metadata as unknown as JsonObject), ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
    spec: { ...asRecord(pod['spec']), nodeName },
    status: { ...status, conditions: withScheduled(pod, kubeTime(engine.nowMs)) },
  };
  return binding.dryRun === true ? asStored(bound) : engine.store.put('pods', bound);
};

/** A real server fails on a target that is no node, and gives no reason. */
const targetOf = (body: JsonObject): string => {
  const [kind, name] = [textAt(body, 'target.kind'), textAt(body, 'target.name')];
  if (!['', 'Node'].includes(kind)) throw failure(textOf(unsupported('target.kind', kind, ['Node', '<empty>'])));
  if (name === '') throw failure(textOf(requiredAt('target.name')));
  return name;
};

/** A binding may name the uid and the version of the pod that it means. */
const refuseOtherPod = (pods: Resource, pod: StoredObject, meant: JsonObject): void => {
  const [uid, version] = [textAt(meant, 'uid'), textAt(meant, 'resourceVersion')];
  const { metadata } = pod;
  if (!['', metadata.uid].includes(uid)) throw unmet(pods, pod, { what: 'UID', wanted: uid, found: metadata.uid });
  if (!['', metadata.resourceVersion].includes(version))
    throw unmet(pods, pod, { what: 'ResourceVersion', wanted: version, found: metadata.resourceVersion });
};

const withScheduled = (pod: StoredObject, moment: string): JsonObject[] => {
  const others = objectsAt(pod, 'status.conditions').filter(({ type }) => type !== 'PodScheduled');
  return [...others, { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: moment }];
};
