import type { ClusterSnapshot, Plan, Pod } from '@karpenter/core';
import { namespaceOf } from '@karpenter/core/internal';
import type { Violation } from './violation.ts';

const labelled = (pod: Pod): string | undefined => {
  const name = pod.metadata.labels?.['scheduling.x-k8s.io/pod-group'];
  return name === undefined ? undefined : `${namespaceOf(pod)}/${name}`;
};

const sizeOf = (pod: Pod, name: string, { podGroups }: ClusterSnapshot): number | undefined => {
  const annotated = pod.metadata.annotations?.['karpenter.sh/pod-group-min-member'];
  return podGroups?.get(name)?.minMember ?? (annotated === undefined ? undefined : Number(annotated));
};

interface Group {
  readonly pods: Pod[];
  wanted: number;
}

const byGroup = (pods: readonly Pod[], snapshot: ClusterSnapshot): ReadonlyMap<string, Group> => {
  const groups = new Map<string, Group>();
  for (const pod of pods) {
    const name = labelled(pod);
    const size = name === undefined ? undefined : sizeOf(pod, name, snapshot);
    if (name === undefined || size === undefined) continue;
    const group = groups.get(name) ?? { pods: [], wanted: 0 };
    group.pods.push(pod);
    group.wanted = Math.max(group.wanted, size);
    groups.set(name, group);
  }
  return groups;
};

/** Each pod group has as many places as it must have, those of pods that stay included, or gets none. */
export const validatePodGroups = (snapshot: ClusterSnapshot, { plannedNodes, placements, rejections }: Plan): readonly Violation[] => {
  const placed = [...plannedNodes.flatMap(({ pods }) => pods), ...[...placements.values()].flat()];
  const rejected = rejections.map(({ pod }) => pod);
  const answered = new Set([...placed, ...rejected]);
  const staying = byGroup(
    snapshot.nodes.flatMap(({ pods }) => pods.filter((pod) => !answered.has(pod) && pod.metadata.deletionTimestamp === undefined)),
    snapshot,
  );
  const lacking = byGroup(rejected, snapshot);
  return [...byGroup(placed, snapshot)].flatMap(([subject, { pods, wanted }]) => {
    const needed = Math.max(wanted, lacking.get(subject)?.wanted ?? 0);
    const has = pods.length + (staying.get(subject)?.pods.length ?? 0) + (snapshot.podGroups?.get(subject)?.succeeded ?? 0);
    return has >= needed ? [] : [{ rule: 'pod-group' as const, subject, detail: `has ${has} of ${needed} places` }];
  });
};
