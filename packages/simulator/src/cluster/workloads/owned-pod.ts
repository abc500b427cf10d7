import type { ApiObject } from '@karpenter/api-server';
import type { KubeOwnerReference } from '@karpenter/runtime';
import type { PodObject } from '../objects/pod.ts';
import type { WorkloadObject } from '../objects/workload.ts';

/** The link from what a controller makes to the object it makes it for. */
export const controllerOf = ({ apiVersion, kind, metadata }: ApiObject): KubeOwnerReference => ({
  ...{ apiVersion, kind, name: metadata.name ?? '', uid: metadata.uid ?? '' },
  ...{ controller: true, blockOwnerDeletion: true },
});

/** A pod made from a workload's template; with a `name` it has that, otherwise one that starts with the workload's. */
export const ownedPod = (
  workload: WorkloadObject,
  { name, labels }: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> } = {},
): PodObject => {
  const { template } = workload.spec;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...(name === undefined ? { generateName: `${workload.metadata.name ?? ''}-` } : { name }),
      namespace: workload.metadata.namespace,
      labels: { ...template.metadata?.labels, ...labels },
      ...(template.metadata?.annotations === undefined ? {} : { annotations: template.metadata.annotations }),
      ownerReferences: [controllerOf(workload)],
    },
    spec: template.spec,
  };
};
