import type { NodeObject } from '../objects/node.ts';
import { nodeTaints } from '../objects/node-taints.ts';
import type { CloudMachine } from './cloud-view.ts';

/** Whether the cloud controller has yet to see the node. */
export const isUninitialized = (node: NodeObject): boolean =>
  node.spec?.taints?.some((taint) => taint.key === nodeTaints.uninitialized) ?? false;

/** The node as the cloud controller leaves it: without the taint, with what the cloud says of the machine. */
export const initializedNode = (node: NodeObject, { providerId, instanceType, region, zone }: CloudMachine): NodeObject => {
  const labels = {
    ...node.metadata.labels,
    ...{ 'node.kubernetes.io/instance-type': instanceType, 'beta.kubernetes.io/instance-type': instanceType },
    ...{ 'topology.kubernetes.io/region': region, 'topology.kubernetes.io/zone': zone },
    ...{ 'failure-domain.beta.kubernetes.io/region': region, 'failure-domain.beta.kubernetes.io/zone': zone },
  };
  const taints = (node.spec?.taints ?? []).filter((taint) => taint.key !== nodeTaints.uninitialized);
  return { ...node, metadata: { ...node.metadata, labels }, spec: { ...node.spec, providerID: providerId, taints } };
};
