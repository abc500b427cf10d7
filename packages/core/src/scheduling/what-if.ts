import { finish } from '../base/index.ts';
import type { Steps } from '../base/index.ts';
import { daemonsOf, evictionLimits, launchingPools, readingSound, reschedulablePods } from '../cluster/index.ts';
import type { ClusterSnapshot, NodeView } from '../cluster/index.ts';
import type { InstanceType } from '../catalog/index.ts';
import { addResources } from '../kube/index.ts';
import type { Pod, Resources } from '../kube/index.ts';
import { gatheringDemands } from './classes/demand.ts';
import { classReader } from './classes/class-reader.ts';
import { resourceTable } from './classes/resource-table.ts';
import { defaultSpread } from './default-spread.ts';
import { improving } from './packing/improve.ts';
import { keepingLimits } from './packing/keep-limits.ts';
import { shapeReader } from './classes/pod-shape.ts';
import { readingNodes } from './places/existing/existing-nodes.ts';
import { NodeCells } from './places/existing/node-search.ts';
import { openReservations } from './places/limits/reservation-ledger.ts';
import { makingTemplates } from './places/node-template.ts';
import { nodePlanner } from './planned-node.ts';
import { assembling } from './assemble-plan.ts';
import type { Plan } from './plan.ts';
import type { SchedulingPolicy } from './policy.ts';
import { readingSlots } from './slots/slots.ts';
import { closedPools } from './rejection/reject.ts';
import type { Places } from './solve/solve.ts';
import { solvingStuckFirst } from './solve/solve-stuck-first.ts';
import { readingTopology } from './topology/reading-topology.ts';

/**
 * A snapshot made ready for many questions. Making it costs a walk over the snapshot; a question costs only the pods that move: the pending ones
 * and those of the nodes that count as gone.
 */
export interface WhatIf {
  /** The plan if these nodes were gone as well as those marked for deletion. The same as `simulate` with `policy.without`. */
  readonly ask: (without: ReadonlySet<string>, options?: WhatIfOptions) => Plan;
  /** The same in steps. One question at a time: the next may be asked once this one is answered, or was abandoned by `return`. */
  readonly asking: (without: ReadonlySet<string>, options?: WhatIfOptions) => Steps<Plan>;
}

/** Options of one question. */
export interface WhatIfOptions {
  readonly shouldStop?: () => boolean;
  /** Default: the policy's. */
  readonly packing?: SchedulingPolicy['packing'];
  /** Names of nodes that stay but take no pods in this question. */
  readonly closed?: ReadonlySet<string>;
}

const never = (): boolean => false;
const none: ReadonlySet<string> = new Set();

function* gatheringPods(
  pending: readonly Pod[],
  leaving: readonly NodeView[],
  movingFrom: (node: NodeView) => readonly Pod[],
): Steps<readonly Pod[]> {
  const pods = [...pending];
  for (const node of leaving) {
    pods.push(...movingFrom(node));
    yield;
  }
  return pods;
}

/** The capacity of a type, and those of offerings that differ from it. */
const capacitiesOf = ({ capacity, offerings }: InstanceType): readonly Resources[] => [
  capacity,
  ...offerings.flatMap(({ capacityOverride }) => (capacityOverride === undefined ? [] : [capacityOverride])),
];

/** Amounts whose keys together name every resource that nodes or instance types have. */
const amountsIn = ({ nodePools, nodes }: ClusterSnapshot): Iterable<Resources> => [
  ...new Set(nodePools.flatMap(({ instanceTypes }) => instanceTypes.flatMap(capacitiesOf))),
  ...nodes.map(({ allocatable }) => allocatable),
];

/** Compiles a snapshot for questions; what cannot be read of it is left out. Ignores the policy's own `without`: each question brings its own. */
export function* preparingWhatIf(given: ClusterSnapshot, policy: SchedulingPolicy): Steps<WhatIf> {
  const { snapshot, leftOut } = yield* readingSound(given, policy.labelCatalog);
  const plain = daemonsOf(snapshot.daemonSets, policy.labelCatalog, snapshot.nodes);
  const shapeOf = shapeReader(policy.labelCatalog);
  const slots = yield* readingSlots(snapshot, { daemons: plain, catalog: policy.labelCatalog, shapeOf });
  const daemons = plain.map((daemon) => ({ ...daemon, requests: addResources(daemon.requests, slots.ofDaemon(daemon)) }));
  const resources = resourceTable(amountsIn(snapshot), slots.names);
  yield;
  const existing = yield* readingNodes(snapshot.nodes, { daemons, resources, slots });
  const templates = yield* makingTemplates(launchingPools(snapshot), { policy, daemons, resources, slots });
  const poolsNotLaunching = closedPools(snapshot);
  const limits = evictionLimits(snapshot.podDisruptionBudgets);
  const movingFrom = (node: NodeView): readonly Pod[] => reschedulablePods(node, limits, policy.nowMs);
  const marked = snapshot.nodes.filter(({ isMarkedForDeletion }) => isMarkedForDeletion);
  const moving = new Set(marked.flatMap(movingFrom));
  const asScheduled = defaultSpread(snapshot, policy);
  const { unboundClaimsOf } = slots;
  const topology = yield* readingTopology({
    ...{ snapshot, policy, templates, shapeOf, asScheduled, unboundClaimsOf, moving },
    nodes: existing.nodes,
  });
  const catalogs = snapshot.nodePools.map(({ instanceTypes }) => instanceTypes);
  const reservations = openReservations(catalogs, snapshot.nodes, policy.labelCatalog);
  const places: Places = {
    existing,
    templates,
    reservations,
    withTopology: topology && { topology, cells: new NodeCells(existing, topology) },
  };
  const classOf = classReader(snapshot, policy, { resources, shapeOf, topology, slots, asScheduled });
  const planNode = nodePlanner(policy, resources.names, new Set(slots.names));
  const byName = new Map(snapshot.nodes.map((node) => [node.name, node]));
  let isAsked = false;

  function* asking(
    without: ReadonlySet<string>,
    { shouldStop = never, packing = policy.packing, closed = none }: WhatIfOptions = {},
  ): Steps<Plan> {
    if (isAsked) throw new Error('Another question is being asked of this what-if');
    isAsked = true;
    try {
      const gone = [...without].flatMap((name) => byName.get(name) ?? []).filter(({ isMarkedForDeletion }) => !isMarkedForDeletion);
      const demands = yield* gatheringDemands(yield* gatheringPods(snapshot.pendingPods, [...marked, ...gone], movingFrom), classOf);
      const question = { demands, gone, closed: [...closed].filter((name) => !without.has(name)), movingFrom, shouldStop };
      const solution = yield* solvingStuckFirst(places, question);
      const drafts = keepingLimits(packing === 'cheapest' ? yield* improving(solution, question, topology) : solution.drafts, gone);
      const plan = yield* assembling(
        { demands, drafts, solution, closed: poolsNotLaunching, domains: topology?.domains },
        existing,
        planNode,
      );
      return leftOut.length === 0 ? plan : { ...plan, leftOut };
    } finally {
      existing.rollBack();
      topology?.rollBack();
      isAsked = false;
    }
  }

  return { asking, ask: (without, options) => finish(asking(without, options)) };
}

/** The what-if of `preparingWhatIf`, without a pause. */
export const createWhatIf = (snapshot: ClusterSnapshot, policy: SchedulingPolicy): WhatIf => finish(preparingWhatIf(snapshot, policy));
