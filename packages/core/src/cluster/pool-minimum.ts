import { labels, nodeClaimConditions } from '../apis/index.ts';
import type { NodeClaim, NodePool } from '../apis/index.ts';
import { durationOrNeverMs, epochMsOf } from '../base/index.ts';
import type { InstanceType } from '../catalog/index.ts';
import { isConditionTrue, parseQuantity, resourcesOf, sumResources } from '../kube/index.ts';
import type { Resources } from '../kube/index.ts';
import type { NodePoolView } from './cluster-snapshot.ts';
import type { NodeView } from './node-view.ts';

/** A node that expires within this time no longer counts, so that its replacement is up before it goes. */
const EXPIRY_LEAD_MS = 5 * 60_000;

/**
 * What a dynamic pool keeps at least; empty for static pools and pools that are being deleted. Amounts that nobody can
 * read are left out.
 */
export const minimumOf = ({ metadata, spec }: NodePool): Resources => {
  if (spec.minimum === undefined || spec.replicas !== undefined || metadata.deletionTimestamp !== undefined) return {};
  return resourcesOf(Object.fromEntries(Object.entries(spec.minimum).filter(([, amount]) => parseQuantity(String(amount)) !== undefined)));
};

/** The lead is at most a quarter of the node's life: otherwise a node that lives for minutes would never count. */
const expiresSoon = ({ metadata, spec }: NodeClaim, nowMs: number): boolean => {
  const lastsMs = durationOrNeverMs(spec.expireAfter ?? 'Never') ?? Number.POSITIVE_INFINITY;
  const createdMs = epochMsOf(metadata.creationTimestamp);
  return createdMs !== undefined && createdMs + lastsMs - nowMs <= Math.min(EXPIRY_LEAD_MS, lastsMs / 4);
};

const isLasting = (claim: NodeClaim, nowMs: number): boolean =>
  claim.metadata.deletionTimestamp === undefined &&
  !isConditionTrue(claim.status?.conditions, nodeClaimConditions.instanceTerminating) &&
  !expiresSoon(claim, nowMs);

/**
 * The nodes that the pool can count on: it launched them, they are not being deleted, and they do not expire within
 * minutes.
 */
export const lastingNodesOf = ({ metadata: { name } }: NodePool, nodes: readonly NodeView[], nowMs: number): readonly NodeView[] =>
  nodes.filter(({ claim, nodePoolName }) => claim !== undefined && nodePoolName === name && isLasting(claim, nowMs));

/** What each of the types has at least, and one node. */
export const leastCapacity = (instanceTypes: readonly InstanceType[]): Resources => {
  const [first, ...others] = instanceTypes.map(({ capacity }) => capacity);
  const least: Record<string, number> = { ...first };
  for (const capacity of others) for (const name of Object.keys(least)) least[name] = Math.min(least[name] ?? 0, capacity[name] ?? 0);
  return { ...least, nodes: 1 };
};

/** What the node has. Before its launch that is what the smallest of its instance types has. */
const sizeOf = ({ claim, capacity, hasNode }: NodeView, instanceTypes: readonly InstanceType[]): Resources => {
  if (claim === undefined || hasNode || claim.status?.providerID !== undefined) return { ...capacity, nodes: 1 };
  const named = claim.spec.requirements.find(({ key, operator }) => key === labels.instanceType && operator === 'In')?.values;
  const names = new Set(named);
  return leastCapacity(instanceTypes.filter(({ name }) => named === undefined || names.has(name)));
};

/** What these nodes of a pool have together, and how many they are. */
export const totalSizeOf = (nodes: readonly NodeView[], { instanceTypes }: Pick<NodePoolView, 'instanceTypes'>): Resources =>
  sumResources(nodes.map((node) => sizeOf(node, instanceTypes)));

/** What is missing of the wanted amounts; empty when nothing is. */
export const shortageOf = (wanted: Resources, present: Resources): Resources =>
  Object.fromEntries(
    Object.entries(wanted)
      .map(([name, amount]) => [name, amount - (present[name] ?? 0)] as const)
      .filter(([, missing]) => missing > 0),
  );
