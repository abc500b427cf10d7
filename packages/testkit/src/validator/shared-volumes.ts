import type { ClusterSnapshot, Plan, Pod } from '@karpenter/core';
import { namespaceOf } from '@karpenter/core/internal';
import type { StorageView } from '@karpenter/core/internal';
import { launchableNodes } from './launchable-node.ts';
import type { PlainLabels } from './node-labels.ts';
import type { Violation } from './violation.ts';

const ZONE = 'topology.kubernetes.io/zone';

/** Claims of the pod that have no volume yet; an ephemeral one is the pod's own and not checked. */
export const unmadeClaimsOf = (pod: Pod, storage: StorageView | undefined): readonly string[] => {
  const names = (pod.spec.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) =>
    claim === undefined ? [] : [`${namespaceOf(pod)}/${claim.claimName}`],
  );
  return [...new Set(names)].filter((name) => {
    const claim = storage?.claims.get(name);
    return claim !== undefined && (claim.spec?.volumeName ?? '') === '';
  });
};

/** A pod, and the zones that its node may be in; undefined: one without a zone. */
interface Stay {
  readonly pod: Pod;
  readonly zones: readonly (string | undefined)[];
}

const zoneOf = (labels: PlainLabels): string | undefined => labels[ZONE];

const comingBy = ({ nodes }: ClusterSnapshot, { placements, plannedNodes }: Plan): readonly Stay[] => [
  ...nodes.flatMap(({ name, labels }) => (placements.get(name) ?? []).map((pod) => ({ pod, zones: [zoneOf(labels)] }))),
  ...plannedNodes.flatMap((planned) => {
    const zones = [...new Set(launchableNodes(planned).map(({ labels }) => zoneOf(labels)))];
    return planned.pods.map((pod) => ({ pod, zones }));
  }),
];

const idOf = ({ metadata }: Pod): string => `${metadata.namespace ?? ''}/${metadata.name}`;

/**
 * The volume of a claim that has none yet is made in the zone of the first pod that is bound; so all that use it are in
 * one zone, that of those who are there where there are any. Source: Kubernetes, "Volume binding mode", plugin
 * `VolumeBinding`.
 */
export const validateSharedVolumes = (snapshot: ClusterSnapshot, plan: Plan): readonly Violation[] => {
  const coming = comingBy(snapshot, plan);
  if (coming.every(({ pod }) => unmadeClaimsOf(pod, snapshot.storage).length === 0)) return [];
  const answered = new Set([...coming.map(({ pod }) => pod), ...plan.rejections.map(({ pod }) => pod)].map(idOf));
  const there = snapshot.nodes.flatMap(({ labels, pods }) =>
    pods.filter((pod) => !answered.has(idOf(pod))).map((pod) => ({ pod, zones: [zoneOf(labels)] })),
  );
  const uses =
    (claim: string) =>
    ({ pod }: Stay): boolean =>
      unmadeClaimsOf(pod, snapshot.storage).includes(claim);
  const claims = new Set(coming.flatMap(({ pod }) => unmadeClaimsOf(pod, snapshot.storage)));
  return [...claims].flatMap((claim): readonly Violation[] => {
    const [newcomers, residents] = [coming.filter(uses(claim)), there.filter(uses(claim)).flatMap(({ zones }) => zones)];
    const homes = new Set(residents.filter((zone) => zone !== undefined));
    const wanted = new Set(newcomers.flatMap(({ zones }) => zones));
    const isOne =
      homes.size === 0 ? wanted.size === 1 && !wanted.has(undefined) : [...wanted].every((zone) => zone !== undefined && homes.has(zone));
    if (isOne || newcomers.length + homes.size < 2) return [];
    return [
      { rule: 'volumes', subject: claim, detail: `has no volume yet, and its pods go to ${[...wanted].map(String).sort().join(', ')}` },
    ];
  });
};
