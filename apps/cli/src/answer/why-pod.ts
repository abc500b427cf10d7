import { type ClusterSnapshot, type Plan, type Pod, type SchedulingPolicy, simulate } from '@karpenter/core';
import { isDaemonPod, isGated, isTerminal } from '@karpenter/core/internal';
import {
  plannedMachine,
  type PlannedMachine,
  podNameOf,
  relaxedGroupOf,
  type RelaxedGroup,
  type Unplaced,
  unplacedOf,
  withoutBuffers,
} from './plan-summary.ts';

/** Preferences that the pod, or some of the pods equal to it, is planned without; absent where there are none. */
interface Relaxing {
  readonly relaxed?: Pick<RelaxedGroup, 'preferences' | 'why'>;
}

/** Where a pod is, where it would go, or why it goes nowhere. */
export type PodAnswer = { readonly pod: string } & (
  | { readonly kind: 'runs'; readonly node: string }
  | { readonly kind: 'ended'; readonly phase: string }
  /** Nobody searches for a node: `reason` says why not. */
  | { readonly kind: 'not-planned'; readonly reason: string }
  /** A node comes up, or has room, and the pod is expected there. */
  | { readonly kind: 'expected'; readonly node: string; readonly isUp: boolean }
  | ({ readonly kind: 'fits-node'; readonly node: string } & Relaxing)
  | ({
      readonly kind: 'needs-node';
      /** Other pods for the same node. */
      readonly otherPods: number;
    } & PlannedMachine &
      Relaxing)
  | ({ readonly kind: 'no-place' } & Omit<Unplaced, 'pod'>)
);

/** Why a pod that waits is not planned for; undefined when it is. */
const passedOver = (pod: Pod, { pendingPods }: ClusterSnapshot): string | undefined => {
  if (isGated(pod)) return `it has scheduling gates: ${pod.spec.schedulingGates?.map(({ name }) => name).join(', ') ?? ''}`;
  if (isDaemonPod(pod)) return 'it belongs to a DaemonSet: it waits for its own node';
  const nominated = pod.status?.nominatedNodeName ?? '';
  if (nominated !== '') return `kube-scheduler makes room for it on ${nominated}`;
  return pendingPods.some(({ metadata }) => metadata.name === pod.metadata.name && metadata.namespace === pod.metadata.namespace)
    ? undefined
    : 'kube-scheduler has not said yet that no node has room for it (PodScheduled=False, reason Unschedulable)';
};

const isSame = (pod: Pod) => (other: Pod) => podNameOf(other) === podNameOf(pod);

const relaxingOf = ({ relaxed = [] }: Plan, pod: Pod): Relaxing => {
  const group = relaxed.find(({ pods }) => pods.some(isSame(pod)));
  if (group === undefined) return {};
  const { preferences, why } = relaxedGroupOf(group);
  return { relaxed: { preferences, why } };
};

const placeIn = (plan: Plan, pod: Pod, policy: SchedulingPolicy): PodAnswer => {
  const { plannedNodes, placements, rejections } = plan;
  const name = podNameOf(pod);
  const node = [...placements].find(([, pods]) => pods.some(isSame(pod)))?.[0];
  if (node !== undefined) return { pod: name, kind: 'fits-node', node, ...relaxingOf(plan, pod) };
  const planned = plannedNodes.find(({ pods }) => pods.some(isSame(pod)));
  if (planned !== undefined) {
    const otherPods = planned.pods.length - 1;
    return { pod: name, kind: 'needs-node', ...plannedMachine(planned, policy), otherPods, ...relaxingOf(plan, pod) };
  }
  const rejection = rejections.find((each) => isSame(pod)(each.pod));
  if (rejection === undefined) return { pod: name, kind: 'not-planned', reason: 'it is not among the pods that wait' };
  const { why, tree } = unplacedOf(rejection);
  return { pod: name, kind: 'no-place', why, tree };
};

/** Why the pod is where it is. Plans all pods that wait, as the controller would. */
export const whyPod = (pod: Pod, snapshot: ClusterSnapshot, policy: SchedulingPolicy): PodAnswer => {
  const name = podNameOf(pod);
  if (isTerminal(pod)) return { pod: name, kind: 'ended', phase: pod.status?.phase ?? '' };
  if (pod.spec.nodeName !== undefined) return { pod: name, kind: 'runs', node: pod.spec.nodeName };
  const expecting = snapshot.nodes.find(({ pods }) => pods.some(isSame(pod)));
  if (expecting !== undefined) return { pod: name, kind: 'expected', node: expecting.name, isUp: expecting.isInitialized };
  const reason = passedOver(pod, snapshot);
  return reason === undefined
    ? placeIn(withoutBuffers(simulate(snapshot, policy), snapshot), pod, policy)
    : { pod: name, kind: 'not-planned', reason };
};
