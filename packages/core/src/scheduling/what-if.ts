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
import { NodeRows } from './places/existing/node-search.ts';
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
import { readingTopology } from './topology/topology.ts';

/**
 * A snapshot made ready for many questions. Making it costs a walk over the snapshot; asking costs what moves: the pending pods and those
 * of the nodes that are thought away.
 */
export interface WhatIf {
  /** The plan if these nodes were gone, beside those that are marked for deletion. The same as `simulate` with `policy.without`. */
  readonly ask: (without: ReadonlySet<string>, manner?: WhatIfManner) => Plan;
  /** The same in steps. One question at a time: the next may be asked when this one is answered, or was given up by `return`. */
  readonly asking: (without: ReadonlySet<string>, manner?: WhatIfManner) => Steps<Plan>;
}

/** How one question is to be answered. */
export interface WhatIfManner {
  readonly shouldStop?: () => boolean;
  /** Instead of the policy's. */
  readonly packing?: SchedulingPolicy['packing'];
  /** Nodes that stay, and take no pods in this question. */
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

/** Everything that says which resources the machines of a type may have. */
const capacitiesOf = ({ capacity, offerings }: InstanceType): readonly Resources[] => [
  capacity,
  ...offerings.flatMap(({ capacityOverride }) => (capacityOverride === undefined ? [] : [capacityOverride])),
];

/** Every list of amounts that names a resource which some node or machine has. */
const amountsIn = ({ nodePools, nodes }: ClusterSnapshot): Iterable<Resources> => [
  ...new Set(nodePools.flatMap(({ instanceTypes }) => instanceTypes.flatMap(capacitiesOf))),
  ...nodes.map(({ allocatable }) => allocatable),
];

/** Compiles a snapshot for questions, less what cannot be read of it. The policy's own `without` is not looked at: each question brings its own. */
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
  const heldBack = closedPools(snapshot);
  const limits = evictionLimits(snapshot.podDisruptionBudgets);
  const movingFrom = (node: NodeView): readonly Pod[] => reschedulablePods(node, limits, policy.nowMs);
  const marked = snapshot.nodes.filter(({ isMarkedForDeletion }) => isMarkedForDeletion);
  const moving = new Set(marked.flatMap(movingFrom));
  const asScheduled = defaultSpread(snapshot, policy);
  const { unmadeClaimsOf } = slots;
  const topology = yield* readingTopology({
    ...{ snapshot, policy, templates, shapeOf, asScheduled, unmadeClaimsOf, moving },
    nodes: existing.nodes,
  });
  const catalogs = snapshot.nodePools.map(({ instanceTypes }) => instanceTypes);
  const reservations = openReservations(catalogs, snapshot.nodes, policy.labelCatalog);
  const places: Places = { existing, templates, reservations, among: topology && { topology, rows: new NodeRows(existing, topology) } };
  const classOf = classReader(snapshot, policy, { resources, shapeOf, topology, slots, asScheduled });
  const planNode = nodePlanner(policy, resources.names, new Set(slots.names));
  const byName = new Map(snapshot.nodes.map((node) => [node.name, node]));
  let isAsked = false;

  function* asking(
    without: ReadonlySet<string>,
    { shouldStop = never, packing = policy.packing, closed = none }: WhatIfManner = {},
  ): Steps<Plan> {
    if (isAsked) throw new Error('Another question is being asked of this what-if');
    isAsked = true;
    try {
      const gone = [...without].flatMap((name) => byName.get(name) ?? []).filter(({ isMarkedForDeletion }) => !isMarkedForDeletion);
      const demands = yield* gatheringDemands(yield* gatheringPods(snapshot.pendingPods, [...marked, ...gone], movingFrom), classOf);
      const question = { demands, gone, closed: [...closed].filter((name) => !without.has(name)), movingFrom, shouldStop };
      const solution = yield* solvingStuckFirst(places, question);
      const drafts = keepingLimits(packing === 'cheapest' ? yield* improving(solution, question, topology) : solution.drafts, gone);
      const plan = yield* assembling({ demands, drafts, solution, closed: heldBack, domains: topology?.domains }, existing, planNode);
      return leftOut.length === 0 ? plan : { ...plan, leftOut };
    } finally {
      existing.rollBack();
      topology?.rollBack();
      isAsked = false;
    }
  }

  return { asking, ask: (without, manner) => finish(asking(without, manner)) };
}

/** The what-if of `preparingWhatIf`, without a pause. */
export const createWhatIf = (snapshot: ClusterSnapshot, policy: SchedulingPolicy): WhatIf => finish(preparingWhatIf(snapshot, policy));
