import { resourcesOf } from '@karpenter/core';
import type { Node, Pod, Resources } from '@karpenter/core';

const requestsOf = ({ spec }: Pod): readonly Resources[] => spec.containers.map(({ resources }) => resourcesOf(resources?.requests));

/** Node name → how much of a resource its pods ask for. */
const askedFor = (pods: readonly Pod[], resource: string): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>();
  for (const pod of pods) {
    const { nodeName } = pod.spec;
    if (nodeName === undefined) continue;
    const amount = requestsOf(pod).reduce((sum, requests) => sum + (requests[resource] ?? 0), 0);
    sums.set(nodeName, (sums.get(nodeName) ?? 0) + amount);
  }
  return sums;
};

/** The mean over the nodes of the requested share of what is allocatable. */
export const utilisationOf = (nodes: readonly Node[], pods: readonly Pod[], resource: string): number => {
  const asked = askedFor(pods, resource);
  const shares = nodes.flatMap(({ metadata, status }) => {
    const allocatable = resourcesOf(status?.allocatable)[resource] ?? 0;
    return allocatable === 0 ? [] : [(asked.get(metadata.name) ?? 0) / allocatable];
  });
  return shares.reduce((sum, share) => sum + share, 0) / Math.max(1, shares.length);
};
