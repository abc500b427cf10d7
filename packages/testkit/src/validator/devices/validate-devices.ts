import type { ClusterSnapshot, Plan, PlannedNode, Pod } from '@karpenter/core';
import { namespaceOf, namespacedNameOf } from '@karpenter/core/internal';
import type { DeviceView, NodeView, ResourceClaim, ResourceClaimSpec } from '@karpenter/core/internal';
import { DeviceSearch, nanosOfQuantity } from '@karpenter/simulator';
import type { DeviceTask, TakenDevices } from '@karpenter/simulator';
import { launchableNodes } from '../launchable-node.ts';
import type { Violation } from '../violation.ts';
import { daemonTasks } from './daemon-tasks.ts';
import type { DaemonMachine } from './daemon-tasks.ts';
import { extendedClaimOn, requestsDevices } from './extended-claims.ts';
import type { Provided } from './extended-claims.ts';
import { isSelected, reachedBy } from './reachable-devices.ts';
import type { DeviceMachine } from './reachable-devices.ts';

/** Beyond so many tries nothing is said. */
const MOST_STEPS = 100_000;
/** Pods that can use one claim. Source: Kubernetes, `ResourceClaimReservedForMaxSize`. */
const MOST_USERS = 256;

interface Placed {
  readonly machine: DaemonMachine;
  readonly pods: readonly Pod[];
}

interface Claimed {
  readonly key: string;
  readonly spec: ResourceClaimSpec;
  readonly claim: ResourceClaim | undefined;
}

const claimsDevices = ({ spec }: Pod, snapshot: ClusterSnapshot): boolean =>
  (spec.resourceClaims?.length ?? 0) > 0 || requestsDevices(spec, snapshot);

const nameOf = ({ metadata }: Pod): string => namespacedNameOf(metadata);

type Entry = NonNullable<Pod['spec']['resourceClaims']>[number];

/** The claim of one entry, or what it will be made of; undefined for one that does not exist. */
const claimOf = (
  pod: Pod,
  { name: entryName, resourceClaimName, resourceClaimTemplateName = '' }: Entry,
  view: DeviceView,
): Claimed | undefined => {
  const namespace = namespaceOf(pod);
  const made = pod.status?.resourceClaimStatuses?.find(({ name }) => name === entryName)?.resourceClaimName;
  const key = `${namespace}/${resourceClaimName ?? made ?? ''}`;
  const claim = view.claims.get(key);
  if (claim !== undefined) return { key, spec: claim.spec, claim };
  const template = view.templates.get(`${namespace}/${resourceClaimTemplateName}`);
  return template && { key: `${namespace}/${pod.metadata.name}/${entryName}`, spec: template.spec.spec, claim: undefined };
};

/** Whether the template made no claim, because the pod needs none. */
const needsNone = ({ status }: Pod, { name, resourceClaimName }: Entry): boolean =>
  resourceClaimName === undefined &&
  status?.resourceClaimStatuses?.some((each) => each.name === name && each.resourceClaimName === undefined) === true;

const claimsOf = (pod: Pod, view: DeviceView | undefined): readonly (Claimed | undefined)[] =>
  (pod.spec.resourceClaims ?? []).filter((entry) => !needsNone(pod, entry)).map((entry) => view && claimOf(pod, entry, view));

/** The claim for the extended resources of a pod on a machine. */
const extendedClaim = (pod: Pod, provided: Provided, snapshot: ClusterSnapshot): readonly Claimed[] => {
  const spec = extendedClaimOn(pod.spec, provided, snapshot);
  if (spec === undefined) return [];
  const namespace = namespaceOf(pod);
  const key = `${namespace}/${pod.status?.extendedResourceClaimStatus?.resourceClaimName ?? ''}`;
  const claim = snapshot.devices?.claims.get(key);
  return [{ key: claim === undefined ? `${namespace}/${pod.metadata.name}//` : key, spec, claim }];
};

const isFreed = ({ status }: ResourceClaim, moving: ReadonlySet<string>): boolean => {
  const users = status?.reservedFor ?? [];
  return users.length > 0 && users.every(({ resource, uid }) => resource === 'pods' && moving.has(uid));
};

type Result = NonNullable<NonNullable<NonNullable<NonNullable<ResourceClaim['status']>['allocation']>['devices']>['results']>[number];

const resultsOf = ({ status }: ResourceClaim): readonly Result[] => status?.allocation?.devices?.results ?? [];

/** What claims have that keep their devices. */
const takenBy = ({ devices }: ClusterSnapshot, moving: ReadonlySet<string>): TakenDevices => {
  const taken = new Map<string, Map<string, bigint>>();
  const kept = [...(devices?.claims.values() ?? [])].filter((claim) => !isFreed(claim, moving)).flatMap(resultsOf);
  for (const { driver, pool, device, consumedCapacity = {} } of kept.filter(({ adminAccess }) => adminAccess !== true)) {
    const id = `${driver}/${pool}/${device}`;
    const amounts = taken.get(id) ?? new Map<string, bigint>();
    for (const [name, amount] of Object.entries(consumedCapacity)) amounts.set(name, (amounts.get(name) ?? 0n) + nanosOfQuantity(amount));
    taken.set(id, amounts);
  }
  return taken;
};

/** Whether the machine reaches the devices that the claim has. */
const reachesAllocation = ({ status }: ResourceClaim, machine: DeviceMachine, snapshot: ClusterSnapshot): boolean => {
  const { devices, nodeSelector } = status?.allocation ?? {};
  if (nodeSelector !== undefined && !isSelected(nodeSelector, machine)) return false;
  const published = new Set(
    (snapshot.devices?.slices ?? []).flatMap(({ spec }) =>
      (spec.devices ?? []).map(({ name }) => `${spec.driver}/${spec.pool.name}/${name}`),
    ),
  );
  const here = new Set(reachedBy(machine, snapshot).devices.map(({ id }) => id));
  return (devices?.results ?? [])
    .map(({ driver, pool, device }) => `${driver}/${pool}/${device}`)
    .every((id) => !published.has(id) || here.has(id));
};

/** The snapshot, and the pods that leave their nodes. */
interface Cluster {
  readonly snapshot: ClusterSnapshot;
  readonly moving: ReadonlySet<string>;
  /** Claim → the machine that its pods go to, and whose devices are not known yet. */
  readonly promised: ReadonlyMap<string, string>;
}

/** A plan that is checked. */
interface Checked extends Cluster {
  /** Whether pods on several nodes may want one device. */
  readonly isContested: boolean;
  /** Claim → the machines of its pods. A planned node counts as the first machine that it may turn out to be. */
  readonly users: ReadonlyMap<string, ReadonlyMap<string, DeviceTask>>;
}

type Homes = Map<string, Map<string, DeviceTask>>;

/** The claims of the pods on a machine, each with the pod. */
const claimedOn = ({ machine, pods }: Placed, snapshot: ClusterSnapshot): readonly (readonly [claimed: Claimed | undefined, pod: Pod])[] =>
  pods.flatMap((pod) =>
    [...claimsOf(pod, snapshot.devices), ...extendedClaim(pod, machine.provided, snapshot)].map((claimed) => [claimed, pod] as const),
  );

/** What a claim needs on the machine: nothing more, a search for devices, or what it cannot have. */
const needOf = (
  { key, claim }: Claimed,
  machine: DeviceMachine,
  { snapshot, moving, promised }: Cluster,
): 'met' | 'search' | { readonly problem: string } => {
  if (claim?.status?.allocation !== undefined && !isFreed(claim, moving))
    return reachesAllocation(claim, machine, snapshot) ? 'met' : { problem: `cannot reach the devices of ${key}` };
  const home = promised.get(key);
  if (home === undefined) return 'search';
  return home === machine.name ? 'met' : { problem: `lacks the devices of ${key}, which ${home} is to bring` };
};

/**
 * Adds what the pods of a machine claim; returns what is wrong already. Any user of a claim may be the one it is
 * allocated for.
 */
const addTasks = (homes: Homes, placed: Placed, cluster: Cluster): string | undefined => {
  const { machine } = placed;
  const reached = reachedBy(machine, cluster.snapshot);
  for (const [claimed, pod] of claimedOn(placed, cluster.snapshot)) {
    if (claimed === undefined) return 'uses a claim that does not exist';
    const need = needOf(claimed, machine, cluster);
    if (typeof need === 'object') return need.problem;
    if (need === 'met') continue;
    const { key, spec } = claimed;
    const known = homes.get(key) ?? new Map<string, DeviceTask>();
    homes.set(key, known.set(machine.name, { key, spec, ...reached, pod: known.has(machine.name) ? `users of ${key}` : nameOf(pod) }));
  }
  return undefined;
};

const usersOf = (placed: readonly Placed[], checked: Cluster): Checked['users'] => {
  const homes: Homes = new Map();
  for (const each of placed) addTasks(homes, each, checked);
  return homes;
};

/** What is to be searched for the pods of some machines together; or what is wrong already. */
const tasksOf = (placed: readonly Placed[], checked: Checked): readonly DeviceTask[] | string => {
  const homes: Homes = new Map();
  for (const each of placed) {
    const problem = addTasks(homes, each, checked);
    if (problem !== undefined) return problem;
  }
  return [...homes].flatMap(([key, own]) => {
    const [first, ...elsewhere] = new Map([...(checked.users.get(key) ?? []), ...own]).values();
    if (first === undefined) return [];
    return elsewhere.length === 0 ? first : { ...first, pod: `users of ${key}`, elsewhere };
  });
};

const judge = (placed: readonly Placed[], checked: Checked): string | undefined => {
  const { snapshot, moving, isContested } = checked;
  const tasks = tasksOf(placed, checked);
  if (typeof tasks === 'string') return tasks;
  const taken = takenBy(snapshot, moving);
  const ofDaemons = placed.flatMap(({ machine }) => daemonTasks(machine, snapshot, taken));
  const search = new DeviceSearch(snapshot.devices?.classes ?? new Map(), taken, MOST_STEPS);
  return search.finds([...ofDaemons, ...tasks], isContested) === false ? 'lacks devices for the claims of its pods' : undefined;
};

/** Claims that more pods use than Kubernetes lets reserve one. */
const crowdedClaims = (pods: readonly Pod[], { devices }: ClusterSnapshot, moving: ReadonlySet<string>): readonly Violation[] => {
  const users = new Map<string, Set<string>>();
  const usersOfClaim = ({ key, claim }: Claimed): Set<string> =>
    users.get(key) ?? new Set((claim?.status?.reservedFor ?? []).map(({ uid }) => uid).filter((uid) => !moving.has(uid)));
  for (const pod of pods)
    for (const claimed of claimsOf(pod, devices).flatMap((each) => each ?? []))
      users.set(claimed.key, usersOfClaim(claimed).add(pod.metadata.uid ?? nameOf(pod)));
  return [...users]
    .filter(([, { size }]) => size > MOST_USERS)
    .map(([subject, { size }]) => ({ rule: 'devices', subject, detail: `is used by ${size} pods, of at most ${MOST_USERS}` }));
};

/** Whether some devices are not of one node each. */
const hasWideSlices = ({ devices }: ClusterSnapshot): boolean => devices?.slices.some(({ spec }) => (spec.nodeName ?? '') === '') === true;

/** Those whose pods may be given one device twice, or share a claim. */
const entangledOf = (placed: readonly Placed[], { isContested, users }: Checked): readonly Placed[] => {
  if (isContested) return placed;
  const sharing = new Set([...users.values()].filter(({ size }) => size > 1).flatMap((machines) => [...machines.keys()]));
  return placed.filter(({ machine }) => sharing.has(machine.name));
};

/** A node that is not initialized still has what its type promises, of drivers that have not published it. */
const machineOf = (node: NodeView, { nodePools }: ClusterSnapshot): DaemonMachine => {
  const { name, labels, taints, allocatable, claim, isInitialized, nodePoolName } = node;
  const known = { name, labels, taints, provided: allocatable, node };
  if (claim === undefined || isInitialized) return known;
  const pool = nodePools.find(({ nodePool }) => nodePool.metadata.name === nodePoolName);
  return { ...known, type: pool?.instanceTypes.find((type) => type.name === labels['node.kubernetes.io/instance-type']) };
};

/** The claims of pods on machines that come up and whose types are not known yet. */
const promisedClaims = (nodes: readonly NodeView[], snapshot: ClusterSnapshot): Cluster['promised'] =>
  new Map(
    nodes
      .filter(({ claim, isInitialized }) => claim !== undefined && !isInitialized)
      .map((node) => ({ machine: machineOf(node, snapshot), pods: node.pods }))
      .filter(({ machine }) => machine.type === undefined)
      .flatMap((placed) =>
        claimedOn(placed, snapshot).flatMap(([claimed]) =>
          claimed?.claim === undefined || claimed.claim.status?.allocation !== undefined
            ? []
            : [[claimed.key, placed.machine.name] as const],
        ),
      ),
  );

const onPlannedNode = (planned: PlannedNode, name: string): readonly Placed[] => {
  const { taints = [] } = planned.claim.spec;
  return launchableNodes(planned).map(({ type, labels }) => ({
    machine: { name, labels, taints, type, provided: type.capacity },
    pods: planned.pods,
  }));
};

/**
 * Whether every pod with claims can have its devices: on each machine that its node may turn out to be, were it alone,
 * and on the first of these together with all others.
 */
export const validateDevices = (snapshot: ClusterSnapshot, plan: Plan, gone: ReadonlySet<string>): readonly Violation[] => {
  const placed = [...plan.plannedNodes.flatMap(({ pods }) => pods), ...[...plan.placements.values()].flat()];
  if (!placed.some((pod) => claimsDevices(pod, snapshot))) return [];
  const isGoing = ({ name, isMarkedForDeletion }: NodeView): boolean => isMarkedForDeletion || gone.has(name);
  const leaving = snapshot.nodes.filter(isGoing).flatMap(({ pods }) => pods);
  const placedPods = new Set(placed);
  const moving = new Set(
    leaving.filter((pod) => placedPods.has(pod) || !pod.metadata.ownerReferences).flatMap(({ metadata }) => metadata.uid ?? []),
  );
  const planned = plan.plannedNodes.map((node, index) => onPlannedNode(node, `planned node ${index}`));
  const existing = [...plan.placements].flatMap(([name, pods]) => {
    const node = snapshot.nodes.find((each) => each.name === name);
    return node === undefined ? [] : [{ machine: machineOf(node, snapshot), pods }];
  });
  const firsts = [...planned.flatMap(([first]) => first ?? []), ...existing];
  const staying = snapshot.nodes.filter((node) => !isGoing(node));
  const cluster = { snapshot, moving, promised: promisedClaims(staying, snapshot) };
  const isContested = placed.length > 1 && hasWideSlices(snapshot);
  const checked = { ...cluster, isContested, users: usersOf(firsts, cluster) };
  const alone = [...planned.flat(), ...existing].filter(({ pods }) => pods.some((pod) => claimsDevices(pod, snapshot)));
  const violations = alone.flatMap((each): readonly Violation[] => {
    const detail = judge([each], checked);
    return detail === undefined
      ? []
      : [{ rule: 'devices', subject: each.machine.name, detail: `${detail} on ${each.machine.type?.name ?? 'it'}` }];
  });
  violations.push(...crowdedClaims(placed, snapshot, moving));
  if (violations.length > 0) return violations;
  const together = judge(entangledOf(firsts, checked), checked);
  return together === undefined ? [] : [{ rule: 'devices', subject: 'plan', detail: `${together}, all nodes taken together` }];
};
