import type { Pod } from '@karpenter/core';
import type { PodSelector, TopologySpreadConstraint } from '@karpenter/core/internal';
import fc from 'fast-check';
import { ownedBy } from '../builders/index.ts';

/** Default constraints of a cluster: some hard, some soft, one or two. */
export const someDefaultSpread: fc.Arbitrary<readonly TopologySpreadConstraint[]> = fc.uniqueArray(
  fc.record({
    topologyKey: fc.constantFrom('topology.kubernetes.io/zone', 'kubernetes.io/hostname', 'kubernetes.io/arch'),
    whenUnsatisfiable: fc.constantFrom('DoNotSchedule' as const, 'ScheduleAnyway' as const),
    maxSkew: fc.constantFrom(1, 2),
  }),
  { minLength: 1, maxLength: 2, selector: ({ topologyKey, whenUnsatisfiable }) => `${topologyKey} ${whenUnsatisfiable}` },
);

/** What picks pods, and how pods come to be owned: those with a `revision` by a ReplicaSet, those of `db` by a StatefulSet. */
export interface Selecting {
  readonly podSelectors: readonly PodSelector[];
  readonly owned: (pod: Pod) => Pod;
}

const owned = (pod: Pod): Pod => {
  if (pod.metadata.labels?.['revision'] !== undefined) return ownedBy('ReplicaSet')(pod);
  return pod.metadata.labels?.['app'] === 'db' ? ownedBy('StatefulSet')(pod) : pod;
};

const everything: readonly PodSelector[] = [
  { kind: 'Service', namespace: 'default', name: 'web', labelSelector: { matchLabels: { app: 'web' } } },
  { kind: 'Service', namespace: 'default', name: 'second', labelSelector: { matchLabels: { revision: '2' } } },
  { kind: 'Service', namespace: 'shop', name: 'db', labelSelector: { matchLabels: { app: 'db' } } },
  { kind: 'Service', namespace: 'shop', name: 'outside' },
  { kind: 'ReplicaSet', namespace: 'default', name: 'owner', labelSelector: { matchLabels: { app: 'web', revision: '2' } } },
  {
    kind: 'ReplicaSet',
    namespace: 'shop',
    name: 'owner',
    labelSelector: { matchExpressions: [{ key: 'revision', operator: 'Exists' }] },
  },
  { kind: 'StatefulSet', namespace: 'default', name: 'owner', labelSelector: { matchLabels: { app: 'db' } } },
];

/** Some Services and workloads for the pods of `someTopology`. */
export const somePodSelectors: fc.Arbitrary<Selecting> = fc
  .subarray([...everything], { minLength: 1 })
  .map((podSelectors) => ({ podSelectors, owned }));
