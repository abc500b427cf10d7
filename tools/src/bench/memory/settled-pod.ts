import type { Settled } from './settled-machines.ts';
import { realisticPod } from '../inputs/realistic-pod.ts';

/** Twenty of them fill a node of 16 cpus. */
const requests = { cpu: '780m', memory: '256Mi' };

/** A pod that runs on the node, as large as pods of busy clusters are: about 6.4 kB as JSON. */
export const settledPod = (index: number, nodeName: string): Settled => {
  const { metadata, spec, status } = realisticPod(index);
  const { name, namespace, labels, annotations, generateName, ownerReferences, managedFields } = metadata;
  const containers = spec.containers.map((container) => ({ ...container, resources: { ...container.resources, requests } }));
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels, annotations, generateName, ownerReferences, managedFields },
    spec: { ...spec, containers, nodeName },
    status,
  } as Settled;
};
