import { memoByKey } from '../base/index.ts';
import type { Steps } from '../base/index.ts';
import type { InstanceType } from '../catalog/index.ts';
import { daemonsOf, launchingPools, readingBudgets, readingSound, reschedulablePods, usageOfNode } from '../cluster/index.ts';
import type { ClusterSnapshot, LeftOut, NodeView } from '../cluster/index.ts';
import { addResources, requestsOfPodSpec } from '../kube/index.ts';
import type { Pod, Resources } from '../kube/index.ts';
import type { LabelCatalog } from '../requirements/index.ts';
import { classReader } from './pod-classes/class-reader.ts';
import type { PodClass } from './pod-classes/pod-class.ts';
import { shapeReader } from './pod-classes/pod-shape.ts';
import type { PodShape } from './pod-classes/pod-shape.ts';
import { resourceTable } from './pod-classes/pod-class.ts';
import { compilingDevices } from './devices/compiled-devices.ts';
import { extendedResourcesOf } from './devices/extended-resources.ts';
import { podDevicesReader } from './devices/pod-devices.ts';
import { PREFERENCE_PRICE_PER_HOUR, defaultSpread } from './policy.ts';
import type { NewNode } from './nodes/new-nodes/new-node.ts';
import { readingNodes } from './nodes/existing-nodes/existing-nodes.ts';
import { NodeCells } from './nodes/existing-nodes/node-search.ts';
import { openReservations } from './nodes/limits/reservation-ledger.ts';
import { makingTemplates } from './nodes/node-template.ts';
import type { PlannedNode } from './planned-node.ts';
import { nodePlanner } from './planned-node.ts';
import type { SchedulingPolicy } from './policy.ts';
import { readingSlots } from './nodes/node-slots.ts';
import type { Places } from './solve/solve.ts';
import { readingTopology } from './topology/topology-reader.ts';
import { volumeWorkReader } from './volumes/volume-work.ts';
import { machineDomains } from './work-budget/pod-work.ts';
import { boundedShapes, budgeting, joinedOrder, withBoundedDaemons } from './work-budget/work-budget.ts';
import type { BudgetContext, PodReading, WorkOrder } from './work-budget/work-budget.ts';

/** A snapshot in the numbers of the solver: all that questions share. */
export interface CompiledSnapshot {
  /** What of the given snapshot could be read. */
  readonly snapshot: ClusterSnapshot;
  readonly leftOut: readonly LeftOut[];
  /** Of the pods without a place: the pending ones, those of marked nodes and those of buffers. */
  readonly order: WorkOrder;
  readonly podReading: PodReading;
  /** Of CapacityBuffers. */
  readonly virtualPods: ReadonlySet<Pod>;
  /** Filled by each question, and rolled back after it. */
  readonly places: Places;
  /** The pods of nodes marked for deletion that are planned. */
  readonly movingPods: readonly Pod[];
  /** The pods of a node that need a new place when it goes. */
  readonly movingFrom: (node: NodeView) => readonly Pod[];
  readonly classOf: (pod: Pod) => PodClass;
  readonly planNode: (newNode: NewNode, pods: readonly Pod[]) => PlannedNode;
}

/** The pods of a snapshot that wait for a place, as far as they are planned. */
interface WaitingPods {
  /** Its pending pods are those that are planned, and the virtual ones of buffers. */
  readonly snapshot: ClusterSnapshot;
  readonly virtualPods: ReadonlySet<Pod>;
  /** Nodes marked for deletion. */
  readonly marked: readonly NodeView[];
  /** All of their pods that need a new place. */
  readonly moving: readonly Pod[];
  /** Those of them that are planned. */
  readonly movingPods: readonly Pod[];
  readonly order: WorkOrder;
}

/** The capacity of a type, and those of offerings that differ from it. */
const capacitiesOf = ({ capacity, offerings }: InstanceType): readonly Resources[] => [
  capacity,
  ...offerings.flatMap(({ capacityOverride }) => (capacityOverride === undefined ? [] : [capacityOverride])),
];

/** Names of resources that instance types have. Pools mostly share one list of types. */
const soldResources = ({ nodePools }: ClusterSnapshot): ReadonlySet<string> => {
  const names = new Set<string>();
  for (const types of new Set(nodePools.map(({ instanceTypes }) => instanceTypes)))
    for (const capacity of types.flatMap(capacitiesOf)) for (const name of Object.keys(capacity)) names.add(name);
  return names;
};

/** Ordinary nodes have a handful beside those of types: huge pages, devices. */
const MOST_BESIDE_TYPES = 32;

/** Names of resources that nodes have and that are not among these; undefined where they are many. Stops there. */
const fewBeside = (sold: ReadonlySet<string>, { nodes }: ClusterSnapshot): ReadonlySet<string> | undefined => {
  const names = new Set<string>();
  for (const { allocatable } of nodes) {
    for (const name in allocatable) if (!sold.has(name)) names.add(name);
    if (names.size > MOST_BESIDE_TYPES) return undefined;
  }
  return names;
};

/** The pods that may need a place, and what they request. */
interface Requesting {
  readonly shapeOf: PodReading['shapeOf'];
  /** Their pods may need a new place. */
  readonly mayGo: readonly NodeView[];
}

/** Names of resources that pods request which may need a place. */
function* gatheringRequested({ pendingPods }: ClusterSnapshot, { shapeOf, mayGo }: Requesting): Steps<ReadonlySet<string>> {
  const requested = new Set(mayGo.flatMap((node) => Object.keys(usageOfNode(node))));
  const seen = new Set<PodShape>();
  for (const { spec } of pendingPods) {
    const shape = shapeOf(spec);
    if (seen.has(shape)) continue;
    seen.add(shape);
    for (const name of Object.keys(shape.requests)) requested.add(name);
    yield;
  }
  return requested;
}

/**
 * Names of all resources that count. Each costs time for every instance type of every pool, and a node may state any
 * number of them. Those that no type has and no pod requests are left out beyond a limit.
 */
function* findingResources(snapshot: ClusterSnapshot, requesting: Requesting): Steps<readonly string[]> {
  const sold = soldResources(snapshot);
  const beside = fewBeside(sold, snapshot);
  if (beside !== undefined) return [...sold, ...beside];
  yield;
  const requested = yield* gatheringRequested(snapshot, requesting);
  const isBeside = (name: string): boolean => !sold.has(name) && snapshot.nodes.some(({ allocatable }) => Object.hasOwn(allocatable, name));
  return [...sold, ...[...requested].filter(isBeside)];
}

/**
 * Node → its pods that need a new place when it goes. Each pod is compared with the budgets of its namespace, once.
 * `nodes`: those that may go.
 */
function* readingMovingPods(
  { podDisruptionBudgets }: ClusterSnapshot,
  nodes: readonly NodeView[],
  nowMs: number | undefined,
): Steps<(node: NodeView) => readonly Pod[]> {
  const limits = yield* readingBudgets(podDisruptionBudgets, nodes);
  return memoByKey((node) => reschedulablePods(node, limits, nowMs));
}

/** The pods of nodes that go. */
export function* gatheringMoving(leaving: readonly NodeView[], movingFrom: (node: NodeView) => readonly Pod[]): Steps<readonly Pod[]> {
  const pods: Pod[] = [];
  for (const node of leaving) {
    for (const pod of movingFrom(node)) pods.push(pod);
    yield;
  }
  return pods;
}

/**
 * Chooses the pods of the plan. Pods that run on marked nodes, and virtual pods, have budgets of their own, so that they
 * take none of the pending pods'.
 */
function* choosingPods(sound: ClusterSnapshot, context: BudgetContext, movingFrom: (node: NodeView) => readonly Pod[]): Steps<WaitingPods> {
  const marked = sound.nodes.filter(({ isMarkedForDeletion }) => isMarkedForDeletion);
  const moving = yield* gatheringMoving(marked, movingFrom);
  const virtual = (sound.buffers ?? []).flatMap((each) => each.virtualPods);
  const ofPending = yield* budgeting(sound.pendingPods, context);
  const ofMoving = yield* budgeting(moving, context);
  const ofVirtual = yield* budgeting(virtual, context);
  const pendingPods = virtual.length === 0 ? ofPending.pods : [...ofPending.pods, ...ofVirtual.pods];
  return {
    snapshot: pendingPods === sound.pendingPods ? sound : { ...sound, pendingPods },
    virtualPods: new Set(virtual),
    ...{ marked, moving, movingPods: ofMoving.pods },
    // Virtual pods come after all others anyway.
    order: joinedOrder(joinedOrder(ofPending, ofMoving), { ...ofVirtual, first: new Set(), late: new Set() }),
  };
}

/** What DaemonSets run on each node, without what devices give. */
const plainDaemons = (
  { daemonSets, nodes }: ClusterSnapshot,
  catalog: LabelCatalog,
  extended: ReturnType<typeof extendedResourcesOf>,
): ReturnType<typeof daemonsOf> =>
  daemonsOf(daemonSets, catalog, nodes).map((daemon) =>
    extended === undefined ? daemon : { ...daemon, requests: requestsOfPodSpec(extended.withoutThem(daemon.spec)) },
  );

/**
 * Compiles a snapshot; what cannot be read of it is left out. `leaving`: the names of the nodes that questions take
 * away; absent: any.
 */
export function* compilingSnapshot(
  given: ClusterSnapshot,
  policy: SchedulingPolicy,
  leaving?: ReadonlySet<string>,
): Steps<CompiledSnapshot> {
  const { labelCatalog: catalog, postponed = [], portion = 1 } = policy;
  const { snapshot: sound, leftOut } = yield* readingSound(withBoundedDaemons(given), catalog);
  const extended = extendedResourcesOf(sound);
  const readShape = shapeReader(catalog);
  const shapeOf = boundedShapes(extended === undefined ? readShape : (spec) => readShape(extended.withoutThem(spec)));
  const volumeWorkOf = volumeWorkReader({ ...(sound.storage && { storage: sound.storage }), catalog });
  const mayGo = sound.nodes.filter(({ isMarkedForDeletion, name }) => isMarkedForDeletion || (leaving?.has(name) ?? true));
  const movingFrom = yield* readingMovingPods(sound, mayGo, policy.nowMs);
  const podReading: PodReading = { shapeOf, volumeWorkOf, domains: machineDomains(sound.nodePools) };
  const chosen = yield* choosingPods(sound, { ...podReading, postponed, portion }, movingFrom);
  const { snapshot, virtualPods, marked, moving, movingPods, order } = chosen;
  const plain = plainDaemons(snapshot, catalog, extended);
  const slots = yield* readingSlots(snapshot, { daemons: plain, catalog, unsupported: policy.unsupportedVolumes, shapeOf });
  const daemons = plain.map((daemon) => ({ ...daemon, requests: addResources(daemon.requests, slots.ofDaemon(daemon)) }));
  const resources = resourceTable(yield* findingResources(snapshot, { shapeOf, mayGo }), slots.names);
  yield;
  const existing = yield* readingNodes(snapshot.nodes, { daemons, resources, slots });
  const templates = yield* makingTemplates(launchingPools(snapshot), {
    ...{ policy, daemons, resources, slots },
    clusterLimits: snapshot.clusterLimits,
  });
  const planned = new Set(movingPods);
  const asScheduled = defaultSpread(snapshot, policy);
  const topology = yield* readingTopology({
    ...{ snapshot, policy, templates, shapeOf, asScheduled, moving: new Set(moving) },
    ...{ nodes: existing.nodes, unboundClaimsOf: slots.unboundClaimsOf },
    mobilityOf: (pod, { name }) => (planned.has(pod) ? 'planned' : (leaving?.has(name) ?? true) ? 'may-move' : 'stays'),
  });
  yield;
  const instanceTypes = snapshot.nodePools.map((pool) => pool.instanceTypes);
  const reservations = openReservations(instanceTypes, snapshot.nodes, catalog);
  const preferencePricePerHour = policy.preferences === 'Weigh' ? (policy.preferencePricePerHour ?? PREFERENCE_PRICE_PER_HOUR) : undefined;
  yield;
  const devicesOf = podDevicesReader(snapshot, extended);
  yield;
  const devices = yield* compilingDevices(snapshot, { nodes: existing.nodes, marked, movingFrom, devicesOf, catalog, daemons });
  const withTopology = topology && { topology, cells: new NodeCells(existing, topology), preferencePricePerHour };
  return {
    ...{ snapshot, order, podReading, leftOut, movingPods, movingFrom, virtualPods },
    places: { existing, templates, reservations, withTopology, devices },
    classOf: classReader(snapshot, policy, { resources, shapeOf, topology, slots, devicesOf, asScheduled, virtualPods }),
    planNode: nodePlanner(policy, resources.names, new Set(slots.names)),
  };
}
