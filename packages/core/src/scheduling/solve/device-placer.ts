import { amountAt, hasBit, itemAt } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { PodClass } from '../pod-classes/pod-class.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import type { DeviceLedger, DevicesOnNewNode, SearchedNewNode } from '../devices/device-ledger.ts';
import { devicesForAll } from '../devices/pod-devices.ts';
import type { PodDevices } from '../devices/pod-devices.ts';
import { NODE_COST_PER_HOUR, nodeCost, priceOf } from '../packing/unit-prices.ts';
import { openInState, useByFirst, useWith } from '../nodes/new-nodes/new-node.ts';
import type { IncomingPod, NewNode } from '../nodes/new-nodes/new-node.ts';
import type { NewNodes } from '../nodes/new-nodes/new-nodes.ts';
import type { ExistingNodes } from '../nodes/existing-nodes/existing-nodes.ts';
import { fitOf } from '../nodes/fit.ts';
import type { LimitLedger } from '../nodes/limits/limit-ledger.ts';
import type { AllowedTypes, NodeState } from '../nodes/node-model.ts';
import { internState, nextState, typesByPrice } from '../nodes/node-state.ts';
import { settledStates } from '../nodes/settled-states.ts';
import { firstRefusal } from '../topology/group.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import type { Checks } from '../topology/group.ts';
import type { Topology } from '../topology/topology.ts';
import type { NodeSize, NodeSizes, SizedPods } from './node-sizes.ts';
import { asOnePod, chargeNode } from './topology-placement.ts';
import type { TopologyWorkingSet, UnchargedNode } from './topology-placement.ts';

/** What pods with device claims are placed on. */
export interface DeviceWorkingSet extends Pick<TopologyWorkingSet, 'existing' | 'open' | 'relaxed' | 'preferencePricePerHour'> {
  readonly ledger: DeviceLedger;
  /** What new nodes can be, in the order in which they are tried. */
  readonly starts: readonly NodeStart[];
  /** Absent where no pod has topology constraints. */
  readonly topology: Topology | undefined;
  /** Absent: new nodes grow freely, as far as some type holds the pods. */
  readonly sizes: NodeSizes | undefined;
}

/** What a new node is before its first pod, and the limits that it would be charged to. */
export interface NodeStart {
  readonly initial: NodeState;
  readonly ledger: LimitLedger;
}

/** A term, and the preferences that it has as requirements, a bit each. */
export interface PreferringTerm {
  readonly term: NodeTerm;
  readonly preferences: number;
}

/** What a pod is placed by, and for how many such pods its place must have room and devices. */
interface PlacedTerm extends PreferringTerm {
  readonly podsAtOnce: number;
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

/** A new node in a state, with a pod's devices. */
interface Chosen {
  readonly state: NodeState;
  readonly types: AllowedTypes;
  readonly found: DevicesOnNewNode;
}

/** A new node that is tried for a pod. */
interface Room {
  readonly number: number;
  readonly isOpen: boolean;
  /** What its pods take together with this one. */
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
    most = Math.min(most, Math.floor(amountAt(itemAt(template.columns, resource).amounts, type) / amountAt(amounts, index)));
  }
  return most;
};

/**
 * Looks for a place for one pod after the other: on existing nodes, then open new ones, then a further one. Only places with
 * room and devices for `podsAtOnce` of them count; a new node keeps to the types that have both.
 */
export class DevicePlacer {
  readonly #incoming: IncomingPod;
  readonly #podsAtOnce: number;
  /** What so many of them take together. */
  readonly #together: IncomingPod;
  readonly #devices: PodDevices;
  readonly #counted: Counted | undefined;
  readonly #isPreferring: boolean;
  readonly #existing: ExistingNodes;
  readonly #open: NewNodes;
  readonly #set: DeviceWorkingSet;
  readonly #sized: SizedPods | undefined;

  constructor(podClass: PodClass, { term, preferences, podsAtOnce }: PlacedTerm, set: DeviceWorkingSet) {
    const { topology: classTopology, devices } = podClass;
    const { topology } = set;
    this.#counted = classTopology && topology && { topology, classTopology, checks: classTopology.checksWith(preferences) };
    // Nodes with devices are not packed again, which alone reads what was checked of them.
    this.#incoming = { podClass, term };
    this.#isPreferring = preferences > 0;
    this.#podsAtOnce = podsAtOnce;
    this.#together = asOnePod(this.#incoming, podsAtOnce);
    this.#devices = devicesForAll(devices ?? NO_DEVICES, podsAtOnce);
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
      yield* this.#measuring(this.#sized);
      yield;
    }
    ledger.startPod(this.#devices);
    const found = (yield* this.#findingNode()) ?? (yield* this.#findingNewNode(this.#sized)) ?? (yield* this.#findingNew());
    // If there can be no more nodes, the open ones grow.
    return found ?? (this.#sized === undefined ? undefined : yield* this.#findingNewNode(undefined));
  }

  *#findingNode(): Steps<DevicePlace | undefined> {
    const { podClass, term } = this.#incoming;
    const accepted = this.#existing.acceptedBy(term);
    for (let node = 0; node < accepted.length; node++) {
      if (accepted[node] === 0 || this.#existing.roomOn(node, podClass, this.#podsAtOnce) < this.#podsAtOnce) continue;
      if (!this.#isAllowedOn(node)) continue;
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
    const view = itemAt(this.#existing.nodes, node);
    if (firstRefusal(host, () => node) !== undefined) return false;
    return firstRefusal(wide, (key) => topology.domains.domainOfNode(view, key)) === undefined;
  }

  /** The new node with the fewest pods that takes it, then the oldest. */
  *#findingNewNode(sized: SizedPods | undefined): Steps<DevicePlace | undefined> {
    const { newNodes } = this.#open;
    const podCount = (number: number): number => itemAt(newNodes, number).podCount;
    const numbers = newNodes
      .map((_, number) => number)
      .filter((number) => !this.#set.ledger.hasNewNodeRefused(number, this.#devices))
      .filter((number) => sized?.mayJoin(number, podCount(number)) !== false)
      .filter((number) => this.#open.mayHaveRoom(number, this.#incoming.podClass, this.#podsAtOnce) && this.#isAllowedOnNewNode(number))
      .sort((a, b) => podCount(a) - podCount(b) || a - b);
    for (const number of numbers) {
      const found = yield* this.#joining(number, sized);
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

  *#joining(number: number, sized: SizedPods | undefined): Steps<DevicePlace | undefined> {
    const newNode = this.#open.newNodes[number];
    if (newNode === undefined) return undefined;
    const most = sized?.mostGrowth(number) ?? Number.POSITIVE_INFINITY;
    const room = { number, isOpen: true, used: useWith(newNode, this.#together.podClass), allowedTypes: newNode.allowedTypes };
    return yield* this.#choosing(newNode.fit.state, room, ({ state, types, found }) => {
      const fit = this.#open.fitNarrowing(number, this.#incoming, { state, types });
      if (fit === undefined) return undefined;
      const costPerHour = Math.max(0, priceOf(fit) - priceOf(newNode.fit));
      if (costPerHour > most) {
        sized?.refuse(number, newNode.podCount);
        return undefined;
      }
      const take = (): void => {
        this.#open.addNarrowing(number, this.#incoming, { state, types });
        this.#sized?.place(number);
        this.#settle(newNode, number, found);
      };
      return { costPerHour, take };
    });
  }

  /** A new node from the first template that makes one, within the limits of its pool. */
  *#findingNew(): Steps<DevicePlace | undefined> {
    const number = this.#open.newNodes.length;
    if (!this.#isAllowedOnNewNode(number)) return undefined;
    this.#set.ledger.startNewNode();
    for (const { initial, ledger } of this.#set.starts) {
      const made = yield* this.#choosing(initial, this.#emptyNode(initial, ledger, this.#together), ({ state, types, found }) => {
        const newNode = openInState(state, this.#incoming, types);
        return newNode && { newNode, found };
      });
      if (made !== undefined && ledger.allows(made.newNode.fit))
        return this.#newPlace(number, made.found, { newNode: made.newNode, ledger });
    }
    return undefined;
  }

  #newPlace(number: number, found: DevicesOnNewNode, made: UnchargedNode): DevicePlace {
    const take = (): void => {
      this.#open.push(chargeNode(made));
      this.#sized?.open(number);
      this.#settle(made.newNode, number, found);
    };
    return { costPerHour: nodeCost(made.newNode.fit), take };
  }

  #emptyNode(initial: NodeState, ledger: LimitLedger, { podClass }: IncomingPod): Room {
    const used = useByFirst(initial, podClass);
    return { number: this.#open.newNodes.length, isOpen: false, used, allowedTypes: ledger.allowedTypes() };
  }

  /** Counts how many of the pods new nodes of each type take, of the first pool that has any. */
  *#measuring(sized: SizedPods): Steps<void> {
    this.#set.ledger.startPod(this.#devices);
    this.#set.ledger.startNewNode();
    let sizes: readonly NodeSize[] = [];
    for (const { initial, ledger } of this.#set.starts) {
      const room = this.#emptyNode(initial, ledger, this.#incoming);
      const state = nextState(initial, this.#incoming.term);
      if (state === undefined) continue;
      sizes = yield* this.#sizing(state, room, sized.left);
      const newNode = sizes.length === 0 ? undefined : openInState(state, this.#incoming, room.allowedTypes);
      if (newNode !== undefined && ledger.allows(newNode.fit)) break;
    }
    sized.measure(sizes);
  }

  /** The sizes that nodes in the state can have: each takes more pods than every cheaper one, up to `most`. */
  *#sizing(state: NodeState, room: Room, most: number): Steps<readonly NodeSize[]> {
    const { template } = state;
    const sizes: NodeSize[] = [];
    let largest = 0;
    for (const { offering, number, type } of this.#typesFor(state, room)) {
      if (largest >= most) break;
      const within = Math.min(most, podsByResources(this.#incoming.podClass, state, number));
      if (within <= largest) continue;
      const pods = yield* this.#set.ledger.countingOnMachine({ template, type }, this.#devices, within);
      if (pods <= largest) continue;
      largest = pods;
      const { pricePerHour } = itemAt(template.catalog.offerings, offering);
      sizes.push({ pods, costPerHour: pricePerHour + template.nodePricePerHour + NODE_COST_PER_HOUR });
    }
    return sizes;
  }

  #settle(newNode: NewNode, number: number, { commit, drivers }: DevicesOnNewNode): void {
    commit();
    if (drivers.length > 0) newNode.deviceDrivers = new Set([...(newNode.deviceDrivers ?? []), ...drivers]);
    this.#counted?.topology.placeOnNewNode(this.#counted.classTopology, number, newNode.fit.state);
  }

  /**
   * What `use` makes of the first state that it accepts, among those that the node may take on with the pod. Each
   * comes with the types that bring its devices.
   */
  *#choosing<T>(before: NodeState, room: Room, use: (chosen: Chosen) => T | undefined): Steps<T | undefined> {
    const next = nextState(before, this.#incoming.term);
    if (next === undefined) return undefined;
    const states = this.#counted === undefined ? [next] : this.#settledStates(next, this.#counted);
    for (const state of states) {
      const chosen = yield* this.#findingChoice(state, room);
      const used = chosen && use(chosen);
      if (used !== undefined) return used;
    }
    return undefined;
  }

  #settledStates(state: NodeState, { topology, checks }: Counted): Iterable<NodeState> {
    return settledStates(state, { checks, domains: topology.domains });
  }

  /**
   * The types with room for the pod beside what is on the node, and with devices where it needs some, cheapest first. One
   * without room must not decide where the node is.
   */
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

  *#findingChoice(state: NodeState, room: Room): Steps<Chosen | undefined> {
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
    const found = yield* this.#set.ledger.searchingNewNode(place, this.#devices);
    const narrowed = found === undefined || found.requirements === state.requirements ? state : internState(template, found.requirements);
    if (found === undefined || narrowed === undefined) return undefined;
    return { state: narrowed, types: { id: `${found.types.join('.')}:`, types: found.types }, found };
  }
}
