import type { ClusterSnapshot, Plan, Pod } from '@karpenter/core';
import { namespaceOf, namespacedNameOf } from '@karpenter/core/internal';
import type { Container, PodSelector, TopologySpreadConstraint } from '@karpenter/core/internal';
import { fakeClock } from '@karpenter/runtime';
import { startApiServer } from '@karpenter/api-server';
import { startControlPlane } from '@karpenter/simulator';
import type { ApiObject, LocalApi } from '@karpenter/api-server';
import { reservedAmounts } from '../validator/amounts.ts';
import { launchedNode, standingNode } from './launched-node.ts';
import { csiNodeOf, storageObjects, volumeOfPod } from './storage-objects.ts';

/** A pod of a plan that the binder left without a node, and what kube-scheduler would say about it. */
export interface PendingPod {
  readonly pod: Pod;
  readonly message: string;
}

interface BoundPod extends ApiObject {
  readonly spec: { readonly nodeName?: string };
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly message?: string }[] };
}

const A_DAY_MS = 86_400_000;
/** Volumes are made and bound, and a pod that has an event with its reason gets another one after ten seconds. */
const SETTLE_MS = 25_000;

const keyOf = ({ metadata }: Pod): string => namespacedNameOf(metadata);

const withImage = (container: Container): Container => ({ image: 'app:1', ...container });

const podObject = (pod: Pod, nodeName: string | undefined): ApiObject => {
  const { metadata, spec } = pod;
  const { nodeName: _, ...wanted } = spec;
  const { labels = {} } = metadata;
  const object = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { ...refOf(pod), labels },
    spec: {
      ...wanted,
      containers: spec.containers.map(withImage),
      ...(spec.initContainers === undefined ? {} : { initContainers: spec.initContainers.map(withImage) }),
      ...(spec.volumes === undefined ? {} : { volumes: spec.volumes.map(volumeOfPod) }),
      ...(nodeName === undefined ? {} : { nodeName }),
    },
  };
  return object;
};

const daemonSetObject = ({ metadata, spec }: ClusterSnapshot['daemonSets'][number]): ApiObject => {
  const labels = { daemon: metadata.name };
  const containers = spec.template.spec.containers.map(withImage);
  const object = {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: metadata.name, namespace: 'kube-system' },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { ...spec.template.spec, containers } } },
  };
  return object;
};

/** Pods that come before the plan's nominations are written are held by this gate. */
const GATE = 'planned';

const gated = (pod: ApiObject): ApiObject & { readonly spec: object } => {
  const spec = 'spec' in pod && typeof pod.spec === 'object' ? pod.spec : {};
  return { ...pod, spec: { ...spec, schedulingGates: [{ name: GATE }] } };
};

/** A pod of the plan, and the node that it was planned for. */
interface Meant {
  readonly pod: Pod;
  readonly nodeName: string;
}

const meantBy = ({ plannedNodes, placements }: Plan): readonly Meant[] => [
  ...plannedNodes.flatMap(({ pods }, index) => pods.map((pod) => ({ pod, nodeName: nodeNameOf(index) }))),
  ...[...placements].flatMap(([nodeName, pods]) => pods.map((pod) => ({ pod, nodeName }))),
];

const nodeNameOf = (index: number): string => `planned-${index}`;

const refOf = (pod: Pod) => ({ name: pod.metadata.name, namespace: namespaceOf(pod) });

/** All pods come with a scheduling gate; then each is nominated; then each is let go, in the same order. */
const nominate = (api: LocalApi, meant: readonly Meant[]): void => {
  for (const { pod } of meant) api.create(gated(podObject(pod, undefined)));
  for (const { pod, nodeName: nominatedNodeName } of meant)
    api.patch('Pod', refOf(pod), { type: 'merge', body: { status: { nominatedNodeName } }, subresource: 'status' });
  for (const { pod } of meant) api.patch('Pod', refOf(pod), { type: 'merge', body: { spec: { schedulingGates: null } } });
};

const serviceObject = ({ namespace, name, labelSelector }: PodSelector): ApiObject => {
  const object = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace },
    spec: { selector: labelSelector?.matchLabels ?? {}, ports: [{ port: 80 }] },
  };
  return object;
};

/** The nodes that stay, each with its pods, and those that are planned. */
const nodeObjects = (snapshot: ClusterSnapshot, { plannedNodes }: Plan): readonly ApiObject[] => [
  ...snapshot.nodes
    .filter(({ isMarkedForDeletion }) => !isMarkedForDeletion)
    .flatMap((node) => [
      standingNode(node),
      ...csiNodeOf(node.name, node.volumeLimits),
      ...node.pods.map((pod) => podObject(pod, node.name)),
    ]),
  ...plannedNodes.flatMap((planned, index) => [
    launchedNode(planned, nodeNameOf(index), snapshot),
    ...csiNodeOf(nodeNameOf(index), planned.cheapest.instanceType.volumeLimits),
  ]),
];

/**
 * Everything that is there before the pods of the plan come: namespaces, storage, nodes, what runs on them, and the
 * daemons.
 */
const furnish = (api: LocalApi, snapshot: ClusterSnapshot, plan: Plan): void => {
  for (const [name, labels] of snapshot.namespaceLabels) {
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } };
    api.create(namespace);
  }
  for (const podSelector of snapshot.podSelectors ?? []) if (podSelector.kind === 'Service') api.create(serviceObject(podSelector));
  for (const object of storageObjects(snapshot.storage)) api.create(object);
  for (const daemonSet of snapshot.daemonSets) api.create(daemonSetObject(daemonSet));
  for (const object of nodeObjects(snapshot, plan)) api.create(object);
};

/** How kube-scheduler goes about it. */
export interface BindOptions {
  readonly arrival?: Arrival;
  /**
   * Whether each pod says where it was planned (`status.nominatedNodeName`) before the first of them is tried. Default
   * false: none does.
   */
  readonly nominates?: boolean;
  /** Of its configuration. */
  readonly defaultSpread?: readonly TopologySpreadConstraint[];
}

/** The order in which the pods come: by name, or those that ask for most cpu first, as Karpenter plans them. */
export type Arrival = 'by-name' | 'largest-first';

const byName = (a: Pod, b: Pod): number => (keyOf(a) < keyOf(b) ? -1 : 1);
const bySize = (a: Pod, b: Pod): number => (reservedAmounts(b).get('cpu') ?? 0) - (reservedAmounts(a).get('cpu') ?? 0) || byName(a, b);

/**
 * Carries out a plan in the simulator. First come the nodes that stay, those that are planned as the cheapest machine
 * of their claims, and all daemons. Then come the pods of the plan. The pod binder binds them by kube-scheduler's rules
 * and scores, and ignores the plan but for nominations. Returns the pods that are left pending. Of what picks pods only
 * Services are created: the workloads of a snapshot would make pods of their own.
 */
export const bindPlan = async (
  snapshot: ClusterSnapshot,
  plan: Plan,
  { arrival = 'by-name', nominates = false, defaultSpread }: BindOptions = {},
): Promise<readonly PendingPod[]> => {
  const clock = fakeClock();
  await using server = await startApiServer({ clock });
  const { local } = server;
  using _controlPlane = startControlPlane({ api: local, clock, nodeGraceMs: A_DAY_MS, defaultSpread, collectsGarbage: false });
  furnish(local, snapshot, plan);
  await clock.advance(5_000);
  const inOrder = arrival === 'by-name' ? byName : bySize;
  const meant = meantBy(plan).toSorted((a, b) => inOrder(a.pod, b.pod));
  if (nominates) nominate(local, meant);
  else for (const { pod } of meant) local.create(podObject(pod, undefined));
  await clock.advance(SETTLE_MS);
  return meant.flatMap(({ pod }) => {
    const found = local.get<BoundPod>('Pod', refOf(pod));
    if (found?.spec.nodeName !== undefined) return [];
    const condition = found?.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    return [{ pod, message: condition?.message ?? 'is not there' }];
  });
};
