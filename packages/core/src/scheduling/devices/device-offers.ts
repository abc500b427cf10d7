import { addBit, addToGroup, emptyBitSet, getOrMake, isFieldProblem, memoByKey, memoByObject } from '../../base/index.ts';
import type { BitSet, Steps } from '../../base/index.ts';
import type { LabelCatalog } from '../../apis/index.ts';
import { labels } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import { labelOf } from '../../kube/index.ts';
import type { NodeSelectorRequirement, NodeSelectorTerm, ResourceSlice } from '../../kube/index.ts';
import { compatible, firstUnmet, parseSelector } from '../../requirements/index.ts';
import type { Requirements } from '../../requirements/index.ts';
import type { AttributeGroups } from './attribute-constraint.ts';
import { reachText, templateId } from './device.ts';
import type { DeviceReach, PoolDevice } from './device.ts';
import { publishingPools, templatePools } from './device-pools.ts';
import type { DevicePool } from './device-pools.ts';

/**
 * The pools that a place reaches, with the devices of them that it reaches, and the groups of devices with equal
 * attributes.
 */
export interface OfferedPools {
  readonly pools: readonly DevicePool[];
  readonly groups: AttributeGroups;
}

const NO_GROUPS: AttributeGroups = new Map();

/** Adds a group, joined with those that it shares a device with. */
const withGroup = (groups: readonly ReadonlySet<string>[], group: ReadonlySet<string>): readonly ReadonlySet<string>[] => {
  const touching = groups.filter((each) => [...each].some((device) => group.has(device)));
  const joined = new Set([...group, ...touching.flatMap((each) => [...each])]);
  return [...groups.filter((each) => !touching.includes(each)), joined];
};

/** The groups of devices that machines of the type will publish with one value of an attribute. */
const groupsOf = memoByObject((type: InstanceType): AttributeGroups => {
  const groups = new Map<string, readonly ReadonlySet<string>[]>();
  for (const { attribute, devices } of type.dynamicResources?.attributeBindings ?? []) {
    const group = new Set(devices.map(({ driver, pool, device }) => templateId(driver, pool, device)));
    if (group.size > 1) groups.set(attribute, withGroup(groups.get(attribute) ?? [], group));
  }
  return groups;
});

/** The pools with only their reached devices. Pools without one are left out. */
const reached = (pools: readonly DevicePool[], reaches: (reach: DeviceReach) => boolean): readonly DevicePool[] =>
  pools
    .filter((pool) => pool.reaches.some(reaches))
    .map((pool) => {
      const devices = pool.devices.filter(({ reach }) => reaches(reach));
      return devices.length === pool.devices.length ? pool : { ...pool, devices };
    });

const deviceNames = ({ devices }: DevicePool): string => JSON.stringify(devices.map(({ name }) => name).sort());

/**
 * The pools that a machine will still publish, of those promised for it: each driver publishes as many as are promised.
 * A published pool is one of those with devices of the same names.
 */
const expectedBeside = (ready: readonly DevicePool[], promised: readonly DevicePool[]): readonly DevicePool[] => {
  const drivers = [...new Set(promised.map(({ driver }) => driver))];
  return drivers.flatMap((driver) => {
    const published = ready.filter((pool) => pool.driver === driver);
    const all = promised.filter((pool) => pool.driver === driver);
    const names = new Set(published.map(deviceNames));
    const isThere = (pool: DevicePool): boolean => names.has(deviceNames(pool));
    const missingFirst = [...all.filter((pool) => !isThere(pool)), ...all.filter(isThere)];
    return missingFirst.slice(0, Math.max(0, all.length - published.length));
  });
};

const isOnItsWay = ({ claim, isInitialized }: NodeView): boolean => claim !== undefined && !isInitialized;

const NAME = 'metadata.name';

const namesNode = ({ key, operator, values = [] }: NodeSelectorRequirement, name: string): boolean =>
  key === NAME && (operator === 'In' ? values.includes(name) : operator === 'NotIn' && !values.includes(name));

/** How many devices are put to their nodes without a pause. */
const DEVICES_A_STEP = 4096;

/** Where the devices of a snapshot are: on its nodes, and on those that could be planned. */
export class DeviceOffers {
  readonly #nodes: readonly NodeView[];
  readonly #catalog: LabelCatalog;
  readonly #types: ReadonlyMap<string, ReadonlyMap<string, InstanceType>>;
  /** Node → the pools with devices on that node alone. */
  readonly #local = new Map<string, DevicePool[]>();
  #wide: readonly DevicePool[] = [];
  readonly #published = new Map<string, PoolDevice>();
  /** Wide pools → type → what it reaches. */
  readonly #ofTypeBeside = memoByObject((wide: readonly DevicePool[]) =>
    memoByKey((type: InstanceType): OfferedPools => ({ pools: [...wide, ...templatePools(type)], groups: groupsOf(type) })),
  );
  #wideReaches: readonly DeviceReach[] = [];
  /** Wide pools by the reaches that are left of them. */
  readonly #wideByReaches = new Map<string, readonly DevicePool[]>();
  readonly #wideFor = new WeakMap<Requirements, readonly DevicePool[]>();
  #ofTypes: readonly DevicePool[] | undefined;

  /** `nodes`: the places, by their numbers. */
  constructor(snapshot: ClusterSnapshot, nodes: readonly NodeView[], catalog: LabelCatalog) {
    this.#nodes = nodes;
    this.#catalog = catalog;
    const byPool = snapshot.nodePools.map(
      ({ nodePool, instanceTypes }) => [nodePool.metadata.name, new Map(instanceTypes.map((type) => [type.name, type]))] as const,
    );
    this.#types = new Map(byPool);
  }

  /** Reads the published devices; before, only those of types are known. */
  *reading(slices: readonly ResourceSlice[]): Steps<void> {
    const pools = yield* publishingPools(slices);
    this.#wide = reached(pools, ({ kind }) => kind !== 'node');
    yield;
    const reaches = new Set(this.#wide.flatMap((pool) => [...pool.reaches, ...pool.devices.map(({ reach }) => reach)]));
    this.#wideReaches = [...new Map([...reaches].map((reach) => [reachText(reach), reach])).values()];
    for (const pool of pools) yield* this.#registering(pool);
  }

  /** Whether there are devices that nodes reach by their labels, or all nodes. */
  get hasWide(): boolean {
    return this.#wide.length > 0;
  }

  /** How many nodes have devices for themselves. */
  get nodesWithDevices(): number {
    return this.#local.size;
  }

  /** A device that is published; undefined where there is none of that id. */
  publishedDevice(id: string): PoolDevice | undefined {
    return this.#published.get(id);
  }

  /**
   * What an existing node reaches. A node on its way has the devices of its type until their drivers have published a
   * whole pool.
   */
  readonly ofNode = memoByKey((number: number): OfferedPools => {
    const node = this.#nodes[number];
    return node === undefined ? { pools: [], groups: NO_GROUPS } : this.#reachedBy(node);
  });

  /**
   * The pools besides those of its machine that a new node with these requirements may come to reach.
   * `allowUndefined`: labels that the node will have though its requirements do not name them.
   */
  wideFor(requirements: Requirements, allowUndefined: ReadonlySet<string>): readonly DevicePool[] {
    if (!this.hasWide) return this.#wide;
    return getOrMake(this.#wideFor, requirements, () => {
      const isOpen = (alternative: Requirements): boolean => compatible(requirements, alternative, { allowUndefined }) === undefined;
      const open = new Set(this.#wideReaches.filter((reach) => this.alternativesOf(reach).some(isOpen)).map(reachText));
      return getOrMake(this.#wideByReaches, [...open].join('\n'), () => reached(this.#wide, (reach) => open.has(reachText(reach))));
    });
  }

  /** What a new node of the type reaches beside these pools. */
  ofType(type: InstanceType, wide = this.#wide): OfferedPools {
    return this.#ofTypeBeside(wide)(type);
  }

  /** The types of a catalog whose machines reach devices. */
  readonly typesWithDevices = memoByKey((types: readonly InstanceType[]): BitSet => {
    const found = emptyBitSet(types.length);
    for (const [number, type] of types.entries()) if (this.ofType(type).pools.length > 0) addBit(found, number);
    return found;
  });

  /** The pools that machines of each type bring. */
  poolsOfTypes(): readonly DevicePool[] {
    this.#ofTypes ??= [...this.#types.values()].flatMap((types) => [...types.values()].flatMap(templatePools));
    return this.#ofTypes;
  }

  /** Whether the node comes up and its type is not known yet, nor then its devices. */
  isUnlaunched(number: number): boolean {
    const node = this.#nodes[number];
    return node !== undefined && isOnItsWay(node) && this.#typeOnItsWay(node) === undefined;
  }

  /** Whether a device is on the node. */
  isOn(reach: DeviceReach, number: number): boolean {
    const node = this.#nodes[number];
    return node !== undefined && this.#isReached(reach, node);
  }

  /**
   * What a node that is still to be made has to be to reach the devices: any one of them is enough. Empty: it never
   * reaches them.
   */
  alternativesOf(reach: DeviceReach): readonly Requirements[] {
    if (reach.kind === 'node') return [];
    if (reach.kind === 'everywhere') return [new Map()];
    return reach.terms.flatMap((term) => {
      const requirements = this.#requirementsOf(term);
      return requirements === 'never' ? [] : [requirements];
    });
  }

  *#registering(pool: DevicePool): Steps<void> {
    const byNode = new Map(pool.reaches.flatMap((reach): [string, PoolDevice[]][] => (reach.kind === 'node' ? [[reach.name, []]] : [])));
    for (const device of pool.devices) {
      this.#published.set(device.id, device);
      if (device.reach.kind === 'node') byNode.get(device.reach.name)?.push(device);
      if (this.#published.size % DEVICES_A_STEP === 0) yield;
    }
    for (const [name, devices] of byNode)
      addToGroup(this.#local, name, devices.length === pool.devices.length ? pool : { ...pool, devices });
  }

  #reachedBy(node: NodeView): OfferedPools {
    const local = this.#local.get(node.name) ?? [];
    const wide = reached(this.#wide, (reach) => this.#isReached(reach, node));
    const type = this.#typeOnItsWay(node);
    if (type === undefined) return { pools: joinedPools(local, wide), groups: NO_GROUPS };
    const ready = local.filter(({ state }) => state === 'ready');
    const expected = expectedBeside(ready, templatePools(type));
    const drivers = new Set(ready.map(({ driver }) => driver));
    for (const { driver } of expected) drivers.delete(driver);
    const published = local.filter((pool) => pool.state === 'ready' || drivers.has(pool.driver));
    return { pools: [...joinedPools(published, wide), ...expected], groups: groupsOf(type) };
  }

  /** The type of a machine that has not published its devices yet. */
  #typeOnItsWay(node: NodeView): InstanceType | undefined {
    const { nodePoolName, labels: own } = node;
    if (!isOnItsWay(node)) return undefined;
    return this.#types.get(nodePoolName ?? '')?.get(labelOf(own, labels.instanceType) ?? '');
  }

  #isReached(reach: DeviceReach, node: NodeView): boolean {
    if (reach.kind === 'everywhere') return true;
    if (reach.kind === 'node') return reach.name === node.name;
    return reach.terms.some((term) => this.#meets(term, node));
  }

  #meets(term: NodeSelectorTerm, node: NodeView): boolean {
    const { matchExpressions = [], matchFields = [] } = term;
    if (matchExpressions.length + matchFields.length === 0) return false;
    if (!matchFields.every((each) => namesNode(each, node.name))) return false;
    const requirements = this.#parsed(term);
    return requirements !== 'never' && firstUnmet(requirements, node.labels) === undefined;
  }

  /** A term that names a node is about none that is still to be made. */
  #requirementsOf(term: NodeSelectorTerm): Requirements | 'never' {
    return (term.matchFields?.length ?? 0) > 0 ? 'never' : this.#parsed(term);
  }

  readonly #parsed = memoByObject((term: NodeSelectorTerm): Requirements | 'never' => {
    const parsed = parseSelector(term.matchExpressions ?? [], this.#catalog, 'nodeSelector');
    return isFieldProblem(parsed) ? 'never' : parsed;
  });
}

/** Joins the two parts of a pool: devices for a single node, and devices for several nodes. */
const joinedPools = (local: readonly DevicePool[], wide: readonly DevicePool[]): readonly DevicePool[] => {
  const byKey = new Map(local.map((pool) => [pool.key, pool]));
  const joined = wide.map((pool) => {
    const own = byKey.get(pool.key);
    return own === undefined ? pool : { ...pool, devices: [...own.devices, ...pool.devices] };
  });
  const keys = new Set(wide.map(({ key }) => key));
  return [...local.filter(({ key }) => !keys.has(key)), ...joined];
};
