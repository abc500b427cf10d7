import { hasBit } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { PodClass } from '../classes/pod-class.ts';
import type { NodeTerm } from '../classes/node-term.ts';
import type { DeviceLedger, DevicesOnNewNode, SearchedNewNode } from '../devices/device-ledger.ts';
import type { PodDevices } from '../devices/pod-devices.ts';
import { NODE_COST_PER_HOUR, nodeCost, priceOf } from '../packing/unit-prices.ts';
import { openInState } from '../places/new-nodes/new-node.ts';
import type { IncomingPod, NewNode } from '../places/new-nodes/new-node.ts';
import type { NewNodes } from '../places/new-nodes/new-nodes.ts';
import type { ExistingNodes } from '../places/existing/existing-nodes.ts';
import { fitOf } from '../places/fit.ts';
import type { AllowedTypes, NodeState } from '../places/node-model.ts';
import { internState, nextState, typesByPrice } from '../places/node-state.ts';
import { settledStates } from '../places/settled-states.ts';
import { firstRefusal } from '../topology/group.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import type { Checks } from '../topology/group.ts';
import type { Topology } from '../topology/topology.ts';
import type { NodeSize, NodeSizes, SizedPods } from './node-sizes.ts';
import { chargeNode } from './place-with-topology.ts';
import type { TopologyWorkingSet } from './place-with-topology.ts';

/** What pods with device claims are placed on. */
export interface DeviceWorkingSet extends Pick<
  TopologyWorkingSet,
  'existing' | 'open' | 'findNode' | 'relaxed' | 'preferencePricePerHour'
> {
  readonly ledger: DeviceLedger;
  /** Absent where no pod has topology constraints. */
  readonly topology: Topology | undefined;
  /** Absent: planned nodes grow freely, as far as some type holds the pods. */
  readonly sizes: NodeSizes | undefined;
}

/** A term, and the preferences that it has as requirements, a bit each. */
export interface PreferringTerm {
  readonly term: NodeTerm;
  readonly preferences: number;
}

/** A place with devices for one pod that is found and not taken. */
export interface DevicePlace {
  /** What the plan costs more with the pod there, in dollars an hour. */
  readonly costPerHour: number;
  readonly take: () => void;
}

/** Topology that a class is counted by, and what is checked of it. */
interface Counted {
  readonly topology: Topology;
  readonly classTopology: ClassTopology;
  readonly checks: Checks;
}

/** A planned node in a state, with a pod's devices. */
interface Chosen {
  readonly state: NodeState;
  readonly types: AllowedTypes;
  readonly found: DevicesOnNewNode;
}

/** What is left of a planned node. */
interface Room {
  readonly number: number;
  readonly isOpen: boolean;
  readonly used: Float64Array;
  readonly allowedTypes: AllowedTypes;
}

/** A type that a search for devices tries, and the number of its cheapest offering. */
type OfferedType = SearchedNewNode['types'][number] & { readonly offering: number };

const NO_DEVICES: PodDevices = { claims: [], namespace: '', text: '', isTied: false, problem: undefined };

/** How many pods of the class the type has resources for. */
const podsByResources = ({ resourceIds, amounts }: PodClass, { template }: NodeState, type: number): number => {
  let most = Number.POSITIVE_INFINITY;
  for (const [index, resource] of resourceIds.entries()) {
    const [has, needs] = [template.columns[resource]?.amounts[type], amounts[index]];
    if (has !== undefined && needs !== undefined && needs > 0) most = Math.min(most, Math.floor(has / needs));
  }
  return most;
};

/** Looks for a place for one pod after the other: on existing nodes, then planned ones, then new ones. */
export class DevicePlacer {
  readonly #incoming: IncomingPod;
  readonly #devices: PodDevices;
  readonly #counted: Counted | undefined;
  readonly #isPreferring: boolean;
  readonly #existing: ExistingNodes;
  readonly #open: NewNodes;
  readonly #set: DeviceWorkingSet;
  readonly #sized: SizedPods | undefined;

  constructor(podClass: PodClass, { term, preferences }: PreferringTerm, set: DeviceWorkingSet) {
    const { topology: classTopology, devices } = podClass;
    const { topology } = set;
    const checks = classTopology?.checksWith(preferences);
    this.#counted =
      classTopology === undefined || topology === undefined || checks === undefined ? undefined : { topology, classTopology, checks };
    this.#incoming = this.#counted === undefined ? { podClass, term } : { podClass, term, checks: this.#counted.checks };
    this.#isPreferring = preferences > 0;
    this.#devices = devices ?? NO_DEVICES;
    this.#existing = set.existing;
    this.#open = set.open;
    this.#set = set;
    this.#sized = set.sizes?.of(podClass, term);
  }

  /** A place for one pod; undefined when there is none. */
  *finding(): Steps<DevicePlace | undefined> {
    const { ledger } = this.#set;
    yield* ledger.judging(this.#devices);
    if (this.#devices.work?.refusal !== undefined) return undefined;
    if (this.#sized?.isMeasured === false) {
      this.#measure(this.#sized);
      yield;
    }
    ledger.startPod(this.#devices);
    const found = (yield* this.#findingNode()) ?? this.#findNewNode(this.#sized) ?? this.#findNew();
    // Where there can be no more nodes, those that are planned grow.
    return found ?? (this.#sized === undefined ? undefined : this.#findNewNode(undefined));
  }

  *#findingNode(): Steps<DevicePlace | undefined> {
    const { podClass, term } = this.#incoming;
    const accepted = this.#existing.acceptedBy(term);
    for (let node = 0; node < accepted.length; node++) {
      if (accepted[node] === 0 || this.#existing.roomOn(node, podClass, 1) === 0 || !this.#isAllowedOn(node)) continue;
      const found = this.#set.ledger.onNode(node, this.#devices);
      if (found === undefined) {
        yield;
        continue;
      }
      const take = (): void => {
        found.commit();
        this.#existing.put(this.#incoming, node, 1);
        this.#counted?.topology.placeOnNode(this.#counted.classTopology, node, 1);
        this.#sized?.place();
      };
      return { costPerHour: 0, take };
    }
    return undefined;
  }

  #isAllowedOn(node: number): boolean {
    if (this.#counted === undefined) return true;
    const { topology, checks } = this.#counted;
    const { host, wide } = checks;
    const view = this.#existing.nodes[node];
    if (view === undefined || firstRefusal(host, () => node) !== undefined) return false;
    return firstRefusal(wide, (key) => topology.domains.domainOfNode(view, key)) === undefined;
  }

  /** The planned node with the fewest pods that takes it, then the oldest. */
  #findNewNode(sized: SizedPods | undefined): DevicePlace | undefined {
    const { newNodes } = this.#open;
    const podCount = (number: number): number => newNodes[number]?.podCount ?? 0;
    const numbers = newNodes
      .map((_, number) => number)
      .filter((number) => !this.#set.ledger.hasNewNodeRefused(number, this.#devices))
      .filter((number) => sized?.mayJoin(number, podCount(number)) !== false)
      .filter((number) => this.#open.mayHaveRoom(number, this.#incoming.podClass, 1) && this.#isAllowedOnNewNode(number))
      .sort((a, b) => podCount(a) - podCount(b) || a - b);
    for (const number of numbers) {
      const found = this.#joining(number, sized);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #isAllowedOnNewNode(number: number): boolean {
    if (this.#counted === undefined) return true;
    const { topology, checks } = this.#counted;
    const host = topology.hostOfNewNode(number);
    return firstRefusal(checks.host, () => host) === undefined;
  }

  #joining(number: number, sized: SizedPods | undefined): DevicePlace | undefined {
    const newNode = this.#open.newNodes[number];
    if (newNode === undefined) return undefined;
    const most = sized?.mostGrowth(number) ?? Number.POSITIVE_INFINITY;
    const chosen = this.#choices(newNode.fit.state, { number, isOpen: true, used: newNode.used, allowedTypes: newNode.allowedTypes });
    for (const { state, types, found } of chosen) {
      const fit = this.#open.fitNarrowing(number, this.#incoming, { state, types });
      if (fit === undefined) continue;
      const costPerHour = Math.max(0, priceOf(fit) - priceOf(newNode.fit));
      if (costPerHour > most) {
        sized?.refuse(number, newNode.podCount);
        continue;
      }
      const take = (): void => {
        this.#open.addNarrowing(number, this.#incoming, { state, types });
        this.#sized?.place(number);
        this.#settle(newNode, number, found);
      };
      return { costPerHour, take };
    }
    return undefined;
  }

  #findNew(): DevicePlace | undefined {
    const number = this.#open.newNodes.length;
    if (!this.#isAllowedOnNewNode(number)) return undefined;
    this.#set.ledger.startNewNode();
    let devices: DevicesOnNewNode | undefined;
    const made = this.#set.findNode((initial, allowedTypes) => {
      for (const { state, types, found } of this.#choices(initial, this.#emptyNode(initial, allowedTypes))) {
        devices = found;
        const newNode = openInState(state, this.#incoming, types);
        if (newNode !== undefined) return newNode;
      }
      return undefined;
    });
    if (made === undefined || devices === undefined) return undefined;
    const found = devices;
    const take = (): void => {
      this.#open.push(chargeNode(made));
      this.#sized?.open(number);
      this.#settle(made.newNode, number, found);
    };
    return { costPerHour: nodeCost(made.newNode.fit), take };
  }

  #emptyNode({ template }: NodeState, allowedTypes: AllowedTypes): Room {
    return { number: this.#open.newNodes.length, isOpen: false, used: new Float64Array(template.columns.length), allowedTypes };
  }

  /** Counts how many of the pods new nodes of each type take, of the first pool that has any. */
  #measure(sized: SizedPods): void {
    const { ledger, findNode } = this.#set;
    ledger.startPod(this.#devices);
    ledger.startNewNode();
    let sizes: readonly NodeSize[] = [];
    findNode((initial, allowedTypes) => {
      const state = nextState(initial, this.#incoming.term);
      if (state === undefined) return undefined;
      sizes = this.#sizesIn(state, this.#emptyNode(initial, allowedTypes), sized.left);
      return sizes.length === 0 ? undefined : openInState(state, this.#incoming, allowedTypes);
    });
    sized.measure(sizes);
  }

  /** The sizes that nodes in the state can have: each takes more pods than every cheaper one, up to `most`. */
  #sizesIn(state: NodeState, room: Room, most: number): readonly NodeSize[] {
    const { template } = state;
    const sizes: NodeSize[] = [];
    let largest = 0;
    for (const { offering, number, type } of this.#typesFor(state, room)) {
      if (largest >= most) break;
      const within = Math.min(most, podsByResources(this.#incoming.podClass, state, number));
      if (within <= largest) continue;
      const pods = this.#set.ledger.podsOnMachine({ template, type }, this.#devices, within);
      const price = template.catalog.offerings[offering]?.pricePerHour;
      if (pods <= largest || price === undefined) continue;
      largest = pods;
      sizes.push({ pods, costPerHour: price + template.nodePricePerHour + NODE_COST_PER_HOUR });
    }
    return sizes;
  }

  #settle(newNode: NewNode, number: number, { commit, drivers }: DevicesOnNewNode): void {
    commit();
    if (drivers.length > 0) newNode.deviceDrivers = new Set([...(newNode.deviceDrivers ?? []), ...drivers]);
    this.#counted?.topology.placeOnNewNode(this.#counted.classTopology, number, newNode.fit.state);
  }

  /**
   * The states that the node may take on with the pod, in the order in which they are tried, with the types that bring
   * its devices.
   */
  *#choices(before: NodeState, room: Room): Iterable<Chosen> {
    const next = nextState(before, this.#incoming.term);
    if (next === undefined) return;
    const states = this.#counted === undefined ? [next] : this.#settledStates(next, this.#counted);
    for (const state of states) {
      const chosen = this.#choice(state, room);
      if (chosen !== undefined) yield chosen;
    }
  }

  #settledStates(state: NodeState, { topology, checks }: Counted): readonly NodeState[] {
    return settledStates(state, checks, topology.domains);
  }

  /** The types that have room for what is on the node already, and devices where the pod needs some, cheapest first. */
  #typesFor(state: NodeState, { used, allowedTypes }: Room): readonly OfferedType[] {
    const { catalog } = state.template;
    const fit = fitOf(state, used, allowedTypes);
    if (fit === undefined) return [];
    const searchable = this.#set.ledger.searchableTypes(this.#devices, catalog.types) ?? fit.types;
    const types: OfferedType[] = [];
    for (const { type: number, offering } of typesByPrice(state)) {
      const type = hasBit(searchable, number) && hasBit(fit.types, number) ? catalog.types[number] : undefined;
      if (type !== undefined) types.push({ number, type, offering });
    }
    return types;
  }

  #choice(state: NodeState, room: Room): Chosen | undefined {
    const { template } = state;
    const types = this.#typesFor(state, room);
    if (types.length === 0) return undefined;
    const accepts = (requirements: NodeState['requirements'], type: number): boolean => {
      const narrowed = requirements === state.requirements ? state : internState(template, requirements);
      return narrowed !== undefined && hasBit(narrowed.types, type);
    };
    const { number, isOpen } = room;
    // A node that lacks devices where the pod prefers to be may have them elsewhere: the ledger remembers no such refusal.
    const place = { number, isOpen: isOpen && !this.#isPreferring, requirements: state.requirements, types, template, accepts };
    const found = this.#set.ledger.onNewNode(place, this.#devices);
    const narrowed = found === undefined || found.requirements === state.requirements ? state : internState(template, found.requirements);
    if (found === undefined || narrowed === undefined) return undefined;
    return { state: narrowed, types: { id: `${found.types.join('.')}:`, types: found.types }, found };
  }
}
