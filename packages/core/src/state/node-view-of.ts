import { labels, nodeClaimConditions } from '../apis/index.ts';
import type { NodeClaim } from '../apis/index.ts';
import type { NodeView } from '../cluster/index.ts';
import { isConditionTrue, resourcesOf } from '../kube/index.ts';
import type { Node, Pod, ResourceList, Resources, Taint } from '../kube/index.ts';
import { isEphemeralTaint, isSameTaint } from './ephemeral-taints.ts';
import { certainLabels, certainRoom } from './planned-place.ts';

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
  for (const [name, amount] of Object.entries(resourcesOf(node))) if (amount !== 0 || !(name in filled)) filled[name] = amount;
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

const roomOf = ({ claim, node }: MachineFacts, { isInitialized }: Stage): Pick<NodeView, 'capacity' | 'allocatable'> => {
  if (claim !== undefined && claim.status?.providerID === undefined) {
    return { capacity: certainRoom(claim), allocatable: certainRoom(claim) };
  }
  if (isInitialized) return { capacity: resourcesOf(node?.status?.capacity), allocatable: resourcesOf(node?.status?.allocatable) };
  return {
    capacity: filledIn(node?.status?.capacity, claim?.status?.capacity),
    allocatable: filledIn(node?.status?.allocatable, claim?.status?.allocatable),
  };
};

const isGoing = ({ claim, node, isMarked }: MachineFacts): boolean =>
  isMarked ||
  (claim === undefined ? node?.metadata.deletionTimestamp !== undefined : claim.metadata.deletionTimestamp !== undefined) ||
  isConditionTrue(claim?.status?.conditions, nodeClaimConditions.instanceTerminating);

const labelsOf = ({ claim, node }: MachineFacts, { isRegistered }: Stage): Readonly<Record<string, string>> =>
  isRegistered || claim === undefined ? (node?.metadata.labels ?? {}) : certainLabels(claim);

/**
 * Node and NodeClaim put together. Labels, annotations and taints come from the claim until the node has registered; a claim that has no
 * machine yet is a place as large as what was planned for it.
 * Source: the original's `pkg/controllers/state/statenode.go`. Differs: there a claim without a machine is no place and stops the cluster.
 */
export const nodeViewOf = (facts: MachineFacts): NodeView => {
  const { claim, node, pods, nominatedUntilMs } = facts;
  const stage = stageOf(facts);
  const name = node?.metadata.name ?? claim?.metadata.name ?? '';
  const viewLabels: Readonly<Record<string, string>> = { [labels.hostname]: name, ...labelsOf(facts, stage) };
  const providerId = claim?.status?.providerID ?? node?.spec?.providerID;
  const nodePoolName = claim === undefined ? undefined : viewLabels[labels.nodePool];
  return {
    name,
    ...(providerId === undefined ? {} : { providerId }),
    labels: viewLabels,
    annotations: (stage.isRegistered ? node : claim)?.metadata.annotations ?? {},
    taints: taintsOf(facts, stage),
    ...roomOf(facts, stage),
    pods,
    ...(claim === undefined ? {} : { claim }),
    ...(nodePoolName === undefined ? {} : { nodePoolName }),
    hasNode: node !== undefined,
    ...stage,
    isReady: isConditionTrue(node?.status?.conditions, 'Ready'),
    isMarkedForDeletion: isGoing(facts),
    ...(nominatedUntilMs === undefined ? {} : { nominatedUntilMs }),
  };
};
