import type { ClusterSnapshot, InstanceType, NodePool, Pod } from '@karpenter/core';
import type { DeviceView, PodSpec } from '@karpenter/core/internal';

/** What an attacker adds to the cluster. */
export interface Attack {
  readonly pods?: readonly Pod[];
  /** Pods of the attacker that run already, dealt out to the nodes of the cluster. */
  readonly running?: readonly Pod[];
  /** Running pods of the attacker on nodes that drain, twenty on each. */
  readonly draining?: readonly Pod[];
  /** Running pods of the attacker on nodes that a disruption pass evaluates, twenty on each. The pass is what is measured. */
  readonly disrupted?: readonly Pod[];
  readonly podDisruptionBudgets?: ClusterSnapshot['podDisruptionBudgets'];
  readonly daemonSets?: ClusterSnapshot['daemonSets'];
  readonly namespaceLabels?: ClusterSnapshot['namespaceLabels'];
  readonly nodePools?: readonly NodePool[];
  readonly storage?: NonNullable<ClusterSnapshot['storage']>;
  readonly devices?: DeviceView;
  /** Types that the cluster has besides the ordinary ones. */
  readonly instanceTypes?: readonly InstanceType[];
}

/** What an attack is meant to hold up: a plan for pending pods, or a disruption pass. */
export type Target = 'plan' | 'pass';

export const targetOf = ({ disrupted }: Attack): Target => (disrupted === undefined ? 'plan' : 'pass');

/** The cluster without an attack, as each target sees it. */
export const noAttackOn: Readonly<Record<Target, Attack>> = { plan: {}, pass: { disrupted: [] } };

/** The namespace in which the attacker may create pods. */
export const HOSTILE = 'hostile';

/** `range(3)` is 0, 1, 2. */
export const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** A pod's spec without its containers, and what else a test says of it. */
export interface HostilePod extends Partial<PodSpec> {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** One small pod of the attacker, as the API server stores it. Its size and age put it before the ordinary pods. */
export const hostilePod = (index: number, { labels = {}, annotations = {}, ...spec }: HostilePod): Pod => ({
  metadata: {
    ...{ name: `hostile-${index}`, namespace: HOSTILE, uid: `hostile-${index}`, labels, annotations },
    creationTimestamp: '2026-01-01T00:00:00Z',
  },
  spec: { containers: [{ name: 'main', resources: { requests: { cpu: '2', memory: '2Gi' } } }], ...spec },
  status: { phase: 'Pending' },
});

/** So many pods, each made from its number. */
export const hostilePods = (count: number, of: (index: number) => HostilePod): readonly Pod[] =>
  range(count).map((index) => hostilePod(index, of(index)));
