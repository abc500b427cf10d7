import { disruptionOf, type NodeClaim, nodeClaimConditions, type NodePool } from '../apis/index.ts';
import { durationOrNeverMs, epochMsOf, type FieldProblem, finish, memoByObject, type Steps } from '../base/index.ts';
import {
  amountIn,
  conditionOf,
  namespacedNameOf,
  type Pod,
  podRequests,
  podSpecProblem,
  type Resources,
  type Taint,
} from '../kube/index.ts';

/** What is known about a machine's pods coming and going. */
export interface PodChanges {
  readonly claim: NodeClaim;
  /** As this process knows it; the claim's `lastPodEventTime` is up to ten seconds behind. Epoch ms. */
  readonly lastPodEventMs?: number | undefined;
}

/** How long the machines of a pool are to be without pod changes; Infinity: they are never consolidated. */
export const consolidateAfterMs = (pool: NodePool): number => durationOrNeverMs(disruptionOf(pool).consolidateAfter) ?? 0;

/**
 * When the machine will have been without pod changes for the `consolidateAfter` of its pool, counted from its
 * initialization where no pod came; epoch ms. Infinity where the pool is static or never consolidates, or the machine
 * is not initialized, or does not say since when.
 */
export const consolidatableAtMs = ({ claim: { status }, lastPodEventMs }: PodChanges, pool: NodePool): number => {
  const initialized = conditionOf(status?.conditions, nodeClaimConditions.initialized);
  if (pool.spec.replicas !== undefined || initialized?.status !== 'True') return Number.POSITIVE_INFINITY;
  const eventsMs = [epochMsOf(status?.lastPodEventTime), lastPodEventMs].filter((ms) => ms !== undefined);
  const quietSinceMs =
    eventsMs.length > 0 ? Math.max(...eventsMs) : (epochMsOf(initialized.lastTransitionTime) ?? Number.POSITIVE_INFINITY);
  return quietSinceMs + consolidateAfterMs(pool);
};

/**
 * A machine as decisions see it: Node and NodeClaim put together, frozen at one instant. Labels, taints and resources
 * come from the claim until the node has registered, so that a machine on its way already counts.
 */
export interface NodeView {
  /** Node name, or the claim's name while there is no node. Unique in a snapshot. */
  readonly name: string;
  readonly providerId?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Less the startup and ephemeral taints while the node is not initialized. */
  readonly taints: readonly Taint[];
  readonly capacity: Resources;
  readonly allocatable: Resources;
  /** CSI driver → the most volumes that the node attaches, as far as its drivers have said so. */
  readonly volumeLimits?: Readonly<Record<string, number>>;
  /** Pods bound to the node that still run (not Succeeded or Failed), daemon pods among them. */
  readonly pods: readonly Pod[];
  /** Absent: the node is not Karpenter's; it is a place for pods, never a candidate for disruption. */
  readonly claim?: NodeClaim;
  readonly nodePoolName?: string;
  readonly hasNode: boolean;
  readonly isRegistered: boolean;
  readonly isInitialized: boolean;
  readonly isReady: boolean;
  /** Being deleted: nothing is placed there, and its pods need a new place. */
  readonly isMarkedForDeletion: boolean;
  /** Epoch ms until which a pod is expected to land there. */
  readonly nominatedUntilMs?: number;
}

/** A pod that names so many resources takes as long to read as a full node. */
export const RESOURCES_OF_A_NODE = 512;

/** Anybody who may create pods may name thousands of resources in each. */
function* addingRequests(pods: readonly Pod[]): Steps<Resources> {
  const total: Record<string, number> = {};
  for (const pod of pods) {
    const requests = podRequests(pod);
    const names = Object.keys(requests);
    for (const name of names) total[name] = (total[name] ?? 0) + amountIn(requests, name);
    if (names.length > RESOURCES_OF_A_NODE) yield;
  }
  return total;
}

/** Views are frozen and shared between snapshots, so their pods are added up once. */
const usageBy = memoByObject((_: NodeView): { known?: Resources } => ({}));

/**
 * What the pods of a node have reserved together, daemon pods included: cpu in thousandths, memory in bytes. Throws
 * RangeError on a malformed quantity.
 */
export const usageOfNode = (node: NodeView): Resources => (usageBy(node).known ??= finish(addingRequests(node.pods)));

export const isUsageKnown = (node: NodeView): boolean => usageBy(node).known !== undefined;

/** Adds up the pods of a node in steps, unless that was done. Of malformed pods `usageOfNode` says what is wrong. */
export function* readingUsage(node: NodeView): Steps<void> {
  try {
    usageBy(node).known ??= yield* addingRequests(node.pods);
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
  }
}

const wrong = (field: string, value: unknown, problem: string): FieldProblem => ({ field, value: String(value), problem });

const podProblem = (pods: readonly Pod[]): FieldProblem | undefined => {
  for (const { metadata, spec } of pods) {
    const problem = podSpecProblem(spec);
    if (problem !== undefined) return { ...problem, field: `pods[${namespacedNameOf(metadata)}].${problem.field}` };
  }
  return undefined;
};

/** What the pods take is added up once for a node anyway; only if that fails, each pod is checked. */
const usageProblem = (node: NodeView): FieldProblem | undefined => {
  try {
    usageOfNode(node);
    return undefined;
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    return podProblem(node.pods) ?? wrong('pods', node.pods, error.message);
  }
};

/** Read once for each object, which snapshots share: a kubelet may state thousands of resources. */
const amountsProblem = memoByObject((allocatable: Resources): { readonly problem: FieldProblem | undefined } => {
  const found = Object.entries(allocatable).find(([, amount]) => !Number.isFinite(amount));
  if (found === undefined) return { problem: undefined };
  const [resource, amount] = found;
  return { problem: wrong(`allocatable.${resource}`, amount, 'must be a number, as resourcesOf makes it of quantities') };
});

/** The first thing about a node by which nothing could be decided; undefined when it is sound. */
export const nodeViewProblem = (node: NodeView): FieldProblem | undefined => {
  const { name, labels, taints, allocatable, pods } = node;
  if (typeof name !== 'string' || name === '') return wrong('name', name, 'must name the node');
  if (typeof labels !== 'object') return wrong('labels', labels, 'must be an object of texts');
  if (!Array.isArray(taints)) return wrong('taints', taints, 'must be a list; it may be empty');
  if (typeof allocatable !== 'object') return wrong('allocatable', allocatable, 'must be an object of numbers');
  if (!Array.isArray(pods)) return wrong('pods', pods, 'must be a list; it may be empty');
  return amountsProblem(allocatable).problem ?? usageProblem(node);
};
