import type { ClusterSnapshot, Plan, Pod, SchedulingPolicy } from '@karpenter/core';
import type { LabelSelector, PodSelector } from '@karpenter/core/internal';
import { namespaceOf } from '@karpenter/core/internal';
import { picks } from './pod-scope.ts';

const controllers: ReadonlySet<string> = new Set(['v1/ReplicationController', 'apps/v1/ReplicaSet', 'apps/v1/StatefulSet']);

type Labels = Readonly<Record<string, string>>;

/** All labels that the Services which pick the pod ask for. */
const labelsOfServices = ({ metadata }: Pod, near: readonly PodSelector[]): Labels => {
  const services = near.filter(({ kind, labelSelector }) => kind === 'Service' && picks(labelSelector, metadata.labels));
  return Object.fromEntries(services.flatMap(({ labelSelector }) => Object.entries(labelSelector?.matchLabels ?? {})));
};

const controllerOf = ({ metadata }: Pod, near: readonly PodSelector[]): PodSelector | undefined => {
  const ref = (metadata.ownerReferences ?? []).find(({ controller }) => controller === true);
  if (ref === undefined || !controllers.has(`${ref.apiVersion}/${ref.kind}`)) return undefined;
  return near.find(({ kind, name }) => kind === ref.kind && name === ref.name);
};

/**
 * Source: Kubernetes, "Cluster-level default constraints": what the pod's Services and its controller select, all of it
 * together.
 */
const deducedSelector = (pod: Pod, all: readonly PodSelector[]): LabelSelector | undefined => {
  const near = all.filter(({ namespace }) => namespace === namespaceOf(pod));
  const served = labelsOfServices(pod, near);
  const { kind, labelSelector: { matchLabels = {}, matchExpressions = [] } = {} } = controllerOf(pod, near) ?? {};
  // A ReplicationController's labels take the place of the Services'; the others' come on top of them.
  if (kind === 'ReplicationController') return { matchLabels: { ...served, ...matchLabels } };
  const own = Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] }));
  const isEmpty = Object.keys(served).length + own.length + matchExpressions.length === 0;
  return isEmpty ? undefined : { matchLabels: served, matchExpressions: [...own, ...matchExpressions] };
};

/**
 * The snapshot and its plan with every pod as kube-scheduler reads it: with the cluster's default spread where it has
 * none of its own.
 */
export const asScheduled = (
  snapshot: ClusterSnapshot,
  plan: Plan,
  { defaultSpread = [] }: Pick<SchedulingPolicy, 'defaultSpread'>,
): readonly [ClusterSnapshot, Plan] => {
  const { podSelectors = [] } = snapshot;
  if (defaultSpread.length * podSelectors.length === 0) return [snapshot, plan];
  const seen = (pod: Pod): Pod => {
    const labelSelector = pod.spec.topologySpreadConstraints?.length ? undefined : deducedSelector(pod, podSelectors);
    if (labelSelector === undefined) return pod;
    return { ...pod, spec: { ...pod.spec, topologySpreadConstraints: defaultSpread.map((each) => ({ ...each, labelSelector })) } };
  };
  return [
    {
      ...snapshot,
      pendingPods: snapshot.pendingPods.map(seen),
      nodes: snapshot.nodes.map((node) => ({ ...node, pods: node.pods.map(seen) })),
    },
    {
      ...plan,
      plannedNodes: plan.plannedNodes.map((planned) => ({ ...planned, pods: planned.pods.map(seen) })),
      placements: new Map([...plan.placements].map(([name, pods]) => [name, pods.map(seen)])),
      rejections: plan.rejections.map((rejection) => ({ ...rejection, pod: seen(rejection.pod) })),
    },
  ];
};
