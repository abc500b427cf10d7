import type { Steps } from '../base/index.ts';
import type { InstanceType } from '../catalog/index.ts';
import { daemonsOf, evictionLimits, launchingPools, readingSound, reschedulablePods } from '../cluster/index.ts';
import type { ClusterSnapshot, LeftOut, NodeView } from '../cluster/index.ts';
import { addResources, requestsOfPodSpec } from '../kube/index.ts';
import type { Pod, Resources } from '../kube/index.ts';
import { classReader } from './classes/class-reader.ts';
import type { PodClass } from './classes/pod-class.ts';
import { shapeReader } from './classes/pod-shape.ts';
import { resourceTable } from './classes/pod-class.ts';
import { compileDevices } from './devices/compiled-devices.ts';
import { extendedResourcesOf } from './devices/extended-resources.ts';
import { podDevicesReader } from './devices/pod-devices.ts';
import { PREFERENCE_PRICE_PER_HOUR, defaultSpread } from './policy.ts';
import type { NewNode } from './places/new-nodes/new-node.ts';
import { readingNodes } from './places/existing/existing-nodes.ts';
import { NodeCells } from './places/existing/node-search.ts';
import { openReservations } from './places/limits/reservation-ledger.ts';
import { makingTemplates } from './places/node-template.ts';
import type { PlannedNode } from './planned-node.ts';
import { nodePlanner } from './planned-node.ts';
import type { SchedulingPolicy } from './policy.ts';
import { readingSlots } from './slots/slots.ts';
import type { Places } from './solve/solve.ts';
import { readingTopology } from './topology/reading-topology.ts';
import { volumeWorkReader } from './volumes/volume-work.ts';
import { boundedShapes, budgeting, withBoundedDaemons } from './work/work-budget.ts';
import type { BudgetContext, BudgetedPods } from './work/work-budget.ts';

/** A snapshot in the numbers of the solver: all that questions share. */
export interface CompiledSnapshot {
  /** What of the given snapshot could be read. */
  readonly snapshot: ClusterSnapshot;
  readonly leftOut: readonly LeftOut[];
  /** Which of the pending pods are planned, those of buffers among them. */
  readonly budget: BudgetedPods;
  /** Of CapacityBuffers. */
  readonly virtualPods: ReadonlySet<Pod>;
  /** Filled by each question, and rolled back after it. */
  readonly places: Places;
  /** Nodes marked for deletion. */
  readonly marked: readonly NodeView[];
  /** The pods of a node that need a new place when it goes. */
  readonly movingFrom: (node: NodeView) => readonly Pod[];
  readonly classOf: (pod: Pod) => PodClass;
  readonly planNode: (newNode: NewNode, pods: readonly Pod[]) => PlannedNode;
}

interface AllPods {
  readonly virtualPods: ReadonlySet<Pod>;
  readonly budget: BudgetedPods;
}

/** The capacity of a type, and those of offerings that differ from it. */
const capacitiesOf = ({ capacity, offerings }: InstanceType): readonly Resources[] => [
  capacity,
  ...offerings.flatMap(({ capacityOverride }) => (capacityOverride === undefined ? [] : [capacityOverride])),
];

/** Amounts whose keys together name every resource that nodes or instance types have. Pools mostly share one list of types. */
const amountsIn = ({ nodePools, nodes }: ClusterSnapshot): Iterable<Resources> => [
  ...[...new Set(nodePools.map(({ instanceTypes }) => instanceTypes))].flatMap((types) => types.flatMap(capacitiesOf)),
  ...nodes.map(({ allocatable }) => allocatable),
];

/** Chooses the pods of the plan. Virtual pods have a budget of their own, so that they take none of the pods that exist. */
function* budgetingAll({ pendingPods, buffers = [] }: ClusterSnapshot, context: BudgetContext): Steps<AllPods> {
  const budget = yield* budgeting(pendingPods, context);
  if (buffers.length === 0) return { virtualPods: new Set(), budget };
  const virtual = buffers.flatMap((each) => each.virtualPods);
  const own = yield* budgeting(virtual, context);
  return {
    virtualPods: new Set(virtual),
    budget: {
      pods: [...budget.pods, ...own.pods],
      first: budget.first,
      late: budget.late,
      rejections: [...budget.rejections, ...own.rejections],
      postponed: [...budget.postponed, ...own.postponed],
    },
  };
}

/** Compiles a snapshot; what cannot be read of it is left out. */
export function* compilingSnapshot(given: ClusterSnapshot, policy: SchedulingPolicy): Steps<CompiledSnapshot> {
  const { labelCatalog: catalog } = policy;
  const { snapshot: sound, leftOut } = yield* readingSound(withBoundedDaemons(given), catalog);
  const extended = extendedResourcesOf(sound);
  const readShape = shapeReader(catalog);
  const shapeOf = boundedShapes(extended === undefined ? readShape : (spec) => readShape(extended.withoutThem(spec)));
  const volumeWorkOf = volumeWorkReader({ ...(sound.storage && { storage: sound.storage }), catalog });
  const { virtualPods, budget } = yield* budgetingAll(sound, {
    shapeOf,
    volumeWorkOf,
    postponed: policy.postponed ?? [],
    portion: policy.portion ?? 1,
  });
  const snapshot = budget.pods === sound.pendingPods ? sound : { ...sound, pendingPods: budget.pods };
  const plain = daemonsOf(snapshot.daemonSets, catalog, snapshot.nodes).map((daemon) =>
    extended === undefined ? daemon : { ...daemon, requests: requestsOfPodSpec(extended.withoutThem(daemon.spec)) },
  );
  const slots = yield* readingSlots(snapshot, { daemons: plain, catalog, unsupported: policy.unsupportedVolumes, shapeOf });
  const daemons = plain.map((daemon) => ({ ...daemon, requests: addResources(daemon.requests, slots.ofDaemon(daemon)) }));
  const resources = resourceTable(amountsIn(snapshot), slots.names);
  yield;
  const existing = yield* readingNodes(snapshot.nodes, { daemons, resources, slots });
  const templates = yield* makingTemplates(launchingPools(snapshot), {
    ...{ policy, daemons, resources, slots },
    clusterLimits: snapshot.clusterLimits,
  });
  const limits = evictionLimits(snapshot.podDisruptionBudgets);
  const movingFrom = (node: NodeView): readonly Pod[] => reschedulablePods(node, limits, policy.nowMs);
  const marked = snapshot.nodes.filter(({ isMarkedForDeletion }) => isMarkedForDeletion);
  const asScheduled = defaultSpread(snapshot, policy);
  const topology = yield* readingTopology({
    ...{ snapshot, policy, templates, shapeOf, asScheduled },
    nodes: existing.nodes,
    unboundClaimsOf: slots.unboundClaimsOf,
    moving: new Set(marked.flatMap(movingFrom)),
  });
  const instanceTypes = snapshot.nodePools.map((pool) => pool.instanceTypes);
  const reservations = openReservations(instanceTypes, snapshot.nodes, catalog);
  const preferencePricePerHour = policy.preferences === 'Weigh' ? (policy.preferencePricePerHour ?? PREFERENCE_PRICE_PER_HOUR) : undefined;
  const devicesOf = podDevicesReader(snapshot, extended);
  const devices = compileDevices(snapshot, { nodes: existing.nodes, marked, movingFrom, devicesOf, catalog, daemons });
  const withTopology = topology && { topology, cells: new NodeCells(existing, topology), preferencePricePerHour };
  return {
    ...{ snapshot, budget, leftOut, marked, movingFrom, virtualPods },
    places: { existing, templates, reservations, withTopology, devices },
    classOf: classReader(snapshot, policy, { resources, shapeOf, topology, slots, devicesOf, asScheduled, virtualPods }),
    planNode: nodePlanner(policy, resources.names, new Set(slots.names)),
  };
}
