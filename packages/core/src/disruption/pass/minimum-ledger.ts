import { memoByKey } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import { lastingNodesOf, leastCapacity, minimumOf, shortageOf, totalSizeOf } from '../../cluster/index.ts';
import type { NodePoolView, NodeView } from '../../cluster/index.ts';
import { quantitiesOf, subtractResources, sumResources } from '../../kube/index.ts';
import type { Resources } from '../../kube/index.ts';
import { planningMinimum } from '../../scheduling/index.ts';
import type { PlannedNode } from '../../scheduling/index.ts';
import type { Blocker } from '../blockers/blocker.ts';
import type { Candidate } from '../candidates/candidate.ts';
import type { DisruptionContext } from '../disruption-context.ts';

type World = Pick<DisruptionContext, 'snapshot' | 'policy' | 'nowMs'>;

const nameOf = ({ nodePool }: NodePoolView): string => nodePool.metadata.name;

const blockerOf = (pool: NodePoolView, shortage: Resources): Blocker => {
  const [resource = 'nodes'] = Object.keys(shortage).sort();
  const minimum = quantitiesOf(minimumOf(pool.nodePool))[resource] ?? '0';
  return { kind: 'minimum', nodePoolName: nameOf(pool), resource, minimum };
};

/** The nodes that the pool keeps if nothing else happens. One that is still coming up may fail. */
const stayingNodesOf = (pool: NodePoolView, { snapshot, nowMs }: World): readonly NodeView[] =>
  lastingNodesOf(pool.nodePool, snapshot.nodes, nowMs).filter(
    ({ isInitialized, isMarkedForDeletion }) => isInitialized && !isMarkedForDeletion,
  );

/** What the pool would lack of its minimum in addition to what it lacks already. */
const addedShortage = (minimum: Resources, before: Resources, after: Resources): Resources =>
  shortageOf(shortageOf(minimum, after), shortageOf(minimum, before));

/** Says which nodes may go without a replacement; each that may go is gone for those asked about later. */
export type MinimumLedger = (candidate: Candidate) => Blocker | undefined;

export const minimumLedger = (world: World): MinimumLedger => {
  const ofPool = memoByKey((pool: NodePoolView): { readonly nodes: ReadonlySet<NodeView>; size: Resources } => {
    const nodes = stayingNodesOf(pool, world);
    return { nodes: new Set(nodes), size: totalSizeOf(nodes, pool) };
  });
  return ({ node, nodePool: pool }) => {
    const minimum = minimumOf(pool.nodePool);
    if (Object.keys(minimum).length === 0) return undefined;
    const counted = ofPool(pool);
    if (!counted.nodes.has(node)) return undefined;
    const size = subtractResources(counted.size, totalSizeOf([node], pool));
    const shortage = addedShortage(minimum, counted.size, size);
    if (Object.keys(shortage).length > 0) return blockerOf(pool, shortage);
    counted.size = size;
    return undefined;
  };
};

/** Nodes to launch beside those that pods need, and the minimum that asks for them. */
export interface KeptMinimum {
  readonly nodes: readonly PlannedNode[];
  /** Undefined when no pool would get below its minimum. */
  readonly asked: Blocker | undefined;
}

/** Nodes that go, and what is planned for their pods. */
interface Move {
  readonly candidates: readonly Candidate[];
  readonly planned: readonly PlannedNode[];
}

/** What the pool would lack if its candidates went and the planned nodes came. */
const shortageAfter = (pool: NodePoolView, world: World, move: Move): Resources => {
  const minimum = minimumOf(pool.nodePool);
  if (Object.keys(minimum).length === 0) return {};
  const nodes = stayingNodesOf(pool, world);
  const leaving = new Set(move.candidates.map(({ node }) => node.name));
  const staying = nodes.filter(({ name }) => !leaving.has(name));
  const coming = move.planned.filter(({ nodePoolName }) => nodePoolName === nameOf(pool)).map((each) => leastCapacity(each.instanceTypes));
  return addedShortage(minimum, totalSizeOf(nodes, pool), sumResources([totalSizeOf(staying, pool), ...coming]));
};

/**
 * The nodes that keep every pool of the candidates at its minimum, or above what it lacks already; a blocker where they
 * cannot be had.
 */
export function* keepingMinimum(world: World, move: Move): Steps<KeptMinimum | Blocker> {
  const { snapshot, policy } = world;
  const leaving = move.candidates.map(({ node }) => node);
  let kept: KeptMinimum = { nodes: [], asked: undefined };
  for (const pool of new Set(move.candidates.map(({ nodePool }) => nodePool))) {
    const shortage = shortageAfter(pool, world, move);
    if (Object.keys(shortage).length === 0) continue;
    const asked = blockerOf(pool, shortage);
    if (pool.mayLaunch === false) return asked;
    const beside = [...move.planned, ...kept.nodes];
    const nodes = yield* planningMinimum({ pool, shortage, leaving, beside }, snapshot, policy);
    const removed = sumResources(nodes.map(({ instanceTypes }) => leastCapacity(instanceTypes)));
    if (Object.keys(shortageOf(shortage, removed)).length > 0) return asked;
    kept = { nodes: [...kept.nodes, ...nodes], asked: kept.asked ?? asked };
  }
  return kept;
}
