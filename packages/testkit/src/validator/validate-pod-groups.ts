import type { ClusterSnapshot, Plan, Pod } from '@karpenter/core';
import type { Violation } from './violation.ts';

const groupOf = ({ metadata: { namespace = '', labels = {}, annotations = {} } }: Pod): string | undefined => {
  const [name, size] = [labels['scheduling.x-k8s.io/pod-group'], annotations['karpenter.sh/pod-group-min-member']];
  return name === undefined || size === undefined ? undefined : `${namespace}/${name}`;
};

const sizeOf = ({ metadata }: Pod): number => Number(metadata.annotations?.['karpenter.sh/pod-group-min-member']);

const byGroup = (pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> => {
  const groups = new Map<string, Pod[]>();
  for (const pod of pods) {
    const name = groupOf(pod);
    if (name !== undefined) groups.set(name, [...(groups.get(name) ?? []), pod]);
  }
  return groups;
};

/** Each pod group has as many places as it must have, those of pods that stay included, or gets none. */
export const validatePodGroups = ({ nodes }: ClusterSnapshot, { plannedNodes, placements, rejections }: Plan): readonly Violation[] => {
  const placed = [...plannedNodes.flatMap(({ pods }) => pods), ...[...placements.values()].flat()];
  const answered = new Set([...placed, ...rejections.map(({ pod }) => pod)]);
  const staying = byGroup(nodes.flatMap(({ pods }) => pods.filter((pod) => !answered.has(pod))));
  return [...byGroup(placed)].flatMap(([subject, pods]) => {
    const wanted = Math.max(...pods.map(sizeOf), ...(byGroup(rejections.map(({ pod }) => pod)).get(subject) ?? []).map(sizeOf));
    const has = pods.length + (staying.get(subject)?.length ?? 0);
    return has >= wanted ? [] : [{ rule: 'pod-group' as const, subject, detail: `has ${has} of ${wanted} places` }];
  });
};
