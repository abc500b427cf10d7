import { labels, nodeClaimConditions, unregisteredTaint } from '../../apis/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { isConditionTrue, maxResources, resourcesOf } from '../../kube/index.ts';
import type { Node, Pod, ResourceList, Resources, Taint } from '../../kube/index.ts';

const known: readonly Taint[] = [
  { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' },
  { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
  { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' },
  { key: 'node.cloudprovider.kubernetes.io/uninitialized', effect: 'NoSchedule', value: 'true' },
  unregisteredTaint,
];

/** Whether both keep away the same pods in the same way; values are not compared. */
export const isSameTaint = (a: Taint, b: Taint): boolean => a.key === b.key && a.effect === b.effect;

/**
 * Whether a taint goes away by itself once a node has come up.
 * Source: the original's `pkg/scheduling/taints.go`, `KnownEphemeralTaints`.
 */
export const isEphemeralTaint = (taint: Taint): boolean =>
  taint.key.startsWith('readiness.k8s.io/') ||
  known.some((each) => isSameTaint(each, taint) && (each.value === undefined || each.value === taint.value));

/**
 * The labels that a claim's node will have whatever machine it gets: the claim's own, and each requirement with one
 * value left. What is still open is left out, so that no pod is nominated for a zone that the machine may not get.
 */
const certainLabels = (claim: NodeClaim): Readonly<Record<string, string>> => {
  const certain: Record<string, string> = {};
  for (const { key, operator, values } of claim.spec.requirements) {
    const [only, ...others] = values ?? [];
    if (operator === 'In' && only !== undefined && others.length === 0) certain[key] = only;
  }
  return { ...certain, ...claim.metadata.labels };
};

/** Room on a machine that has not been launched: what its pods asked for and no more, since its size is still open. */
const certainRoom = (claim: NodeClaim): Resources => resourcesOf(claim.spec.resources?.requests);

/**
 * The most that the claim's machine can turn out to have, of each resource: the largest of the instance types that it
 * names. Limits count this until the launch has decided, so that they hold whatever the cloud picks.
 */
export const largestCapacity = (claim: NodeClaim, instanceTypes: readonly InstanceType[]): Resources => {
  const named = claim.spec.requirements.find(({ key, operator }) => key === labels.instanceType && operator === 'In')?.values;
  const names = new Set(named);
  let largest = certainRoom(claim);
  for (const type of instanceTypes) if (named === undefined || names.has(type.name)) largest = maxResources(largest, type.capacity);
  return largest;
};

/** What is known about one machine; at least one of `claim` and `node` is there. */
export interface MachineFacts {
  readonly claim?: NodeClaim | undefined;
  readonly node?: Node | undefined;
  /** Those bound there and those that are sure to come. */
  readonly pods: readonly Pod[];
  readonly isMarked: boolean;
  readonly nominatedUntilMs?: number | undefined;
}

const hasLabel = (node: Node | undefined, key: string): boolean => node?.metadata.labels?.[key] === 'true';

/** The node's amounts; what it does not state yet, or states as zero, from the claim. */
const filledIn = (node: ResourceList | undefined, claim: ResourceList | undefined): Resources => {
  const filled: Record<string, number> = { ...resourcesOf(claim) };
  for (const [name, amount] of Object.entries(resourcesOf(node))) if (amount !== 0 || !Object.hasOwn(filled, name)) filled[name] = amount;
  return filled;
};

interface Stage {
  readonly isRegistered: boolean;
  readonly isInitialized: boolean;
}

const stageOf = ({ claim, node }: MachineFacts): Stage => ({
  isRegistered: claim === undefined || hasLabel(node, labels.registered),
  isInitialized: claim === undefined || hasLabel(node, labels.initialized),
});

const taintsOf = ({ claim, node }: MachineFacts, { isRegistered, isInitialized }: Stage): readonly Taint[] => {
  if (!isRegistered) return claim?.spec.taints ?? [];
  const taints = node?.spec?.taints ?? [];
  if (isInitialized) return taints;
  const startup = claim?.spec.startupTaints ?? [];
  return taints.filter((taint) => !isEphemeralTaint(taint) && !startup.some((each) => isSameTaint(each, taint)));
};

type Room = Pick<NodeView, 'capacity' | 'allocatable'>;

const roomOfNode = ({ status }: Node): Room => ({ capacity: resourcesOf(status?.capacity), allocatable: resourcesOf(status?.allocatable) });

/**
 * Of a machine that is coming up: what its node states, the rest as the cloud announced; before the launch, what was
 * planned.
 */
const roomOnItsWay = (claim: NodeClaim, node: Node | undefined): Room => {
  const { providerID, capacity, allocatable } = claim.status ?? {};
  if (providerID === undefined) return { capacity: certainRoom(claim), allocatable: certainRoom(claim) };
  const stated = node?.status ?? {};
  return { capacity: filledIn(stated.capacity, capacity), allocatable: filledIn(stated.allocatable, allocatable) };
};

const roomOf = ({ claim, node }: MachineFacts, { isInitialized }: Stage): Room => {
  if (node !== undefined && isInitialized) return roomOfNode(node);
  return claim === undefined ? { capacity: {}, allocatable: {} } : roomOnItsWay(claim, node);
};

const isGoing = ({ claim, node, isMarked }: MachineFacts): boolean =>
  isMarked ||
  (claim === undefined ? node?.metadata.deletionTimestamp !== undefined : claim.metadata.deletionTimestamp !== undefined) ||
  isConditionTrue(claim?.status?.conditions, nodeClaimConditions.instanceTerminating);

const labelsOf = ({ claim, node }: MachineFacts, { isRegistered }: Stage): Readonly<Record<string, string>> =>
  isRegistered || claim === undefined ? (node?.metadata.labels ?? {}) : certainLabels(claim);

const nameOf = ({ claim, node }: MachineFacts): string => (node ?? claim)?.metadata.name ?? '';
const providerIdOf = ({ claim, node }: MachineFacts): string | undefined => claim?.status?.providerID ?? node?.spec?.providerID;

/** What may be missing of a view, as far as it is there. */
const optionalParts = (facts: MachineFacts, viewLabels: Readonly<Record<string, string>>): Partial<NodeView> => {
  const { claim, nominatedUntilMs } = facts;
  const providerId = providerIdOf(facts);
  const nodePoolName = claim === undefined ? undefined : viewLabels[labels.nodePool];
  return {
    ...(providerId === undefined ? {} : { providerId }),
    ...(claim === undefined ? {} : { claim }),
    ...(nodePoolName === undefined ? {} : { nodePoolName }),
    ...(nominatedUntilMs === undefined ? {} : { nominatedUntilMs }),
  };
};

/**
 * Node and NodeClaim put together. Labels, annotations and taints come from the claim until the node has registered; a
 * claim that has no machine yet is a place as large as what was planned for it. Source: the original's
 * `pkg/controllers/state/statenode.go`. Differs: there a claim without a machine is no place and stops the cluster.
 */
export const nodeViewOf = (facts: MachineFacts): NodeView => {
  const { claim, node, pods } = facts;
  const stage = stageOf(facts);
  const viewLabels = { [labels.hostname]: nameOf(facts), ...labelsOf(facts, stage) };
  return {
    name: nameOf(facts),
    labels: viewLabels,
    annotations: (stage.isRegistered ? node : claim)?.metadata.annotations ?? {},
    taints: taintsOf(facts, stage),
    ...roomOf(facts, stage),
    pods,
    hasNode: node !== undefined,
    ...stage,
    isReady: isConditionTrue(node?.status?.conditions, 'Ready'),
    isMarkedForDeletion: isGoing(facts),
    ...optionalParts(facts, viewLabels),
  };
};

const is = (claim: NodeClaim, type: string): boolean => isConditionTrue(claim.status?.conditions, type);

/** The cloud has accepted the machine. */
export const isLaunched = (claim: NodeClaim): boolean => is(claim, nodeClaimConditions.launched);

/** The machine's node is known and carries what the claim says. */
export const isRegistered = (claim: NodeClaim): boolean => is(claim, nodeClaimConditions.registered);

/** Pods can run there. */
export const isInitialized = (claim: NodeClaim): boolean => is(claim, nodeClaimConditions.initialized);

export const isDeleting = (claim: NodeClaim): boolean => claim.metadata.deletionTimestamp !== undefined;
