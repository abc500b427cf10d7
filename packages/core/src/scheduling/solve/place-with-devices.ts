import { hasBit } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { Demand } from '../classes/demand.ts';
import type { Rung } from '../classes/rung.ts';
import type { DeviceLedger, DevicesOnDraft } from '../devices/device-ledger.ts';
import type { PodDevices } from '../devices/pod-devices.ts';
import { openInState } from '../places/drafts/draft.ts';
import type { Applicant, Draft } from '../places/drafts/draft.ts';
import type { OpenDrafts } from '../places/drafts/open-drafts.ts';
import type { ExistingNodes } from '../places/existing/existing-nodes.ts';
import { fitOf } from '../places/fit.ts';
import type { AllowedTypes, NodeState } from '../places/node-model.ts';
import { internState, nextState, typesByPrice } from '../places/node-state.ts';
import { settledStates } from '../places/settled-states.ts';
import { firstRefusal } from '../topology/checks.ts';
import type { ClassTopology } from '../topology/class-topology.ts';
import type { Checks } from '../topology/checks.ts';
import type { Topology } from '../topology/topology.ts';
import { levelsOf } from './place-by-preference.ts';
import { chargeNode } from './place-with-topology.ts';
import type { TopologyWorkingSet } from './place-with-topology.ts';

/** What pods with device claims are placed on. */
export interface DeviceWorkingSet extends Pick<TopologyWorkingSet, 'existing' | 'open' | 'findNode' | 'relaxed'> {
  readonly ledger: DeviceLedger;
  /** Absent where no pod has topology constraints. */
  readonly topology: Topology | undefined;
}

/** Topology that a class is counted by, and what is checked of it. */
interface Counted {
  readonly topology: Topology;
  readonly classTopology: ClassTopology;
  readonly checks: Checks;
}

/** A rung, and the preferences that it has as requirements, a bit each. */
interface PreferringRung {
  readonly rung: Rung;
  readonly preferences: number;
}

/** A planned node in a state, with a pod's devices. */
interface Chosen {
  readonly state: NodeState;
  readonly types: AllowedTypes;
  readonly found: DevicesOnDraft;
}

/** Looks for a place for one pod after the other: on existing nodes, then planned ones, then new ones. */
class DevicePlacer {
  readonly #applicant: Applicant;
  readonly #devices: PodDevices;
  readonly #counted: Counted | undefined;
  readonly #isPreferring: boolean;
  readonly #existing: ExistingNodes;
  readonly #open: OpenDrafts;
  readonly #set: DeviceWorkingSet;

  constructor({ podClass }: Demand, { rung, preferences }: PreferringRung, set: DeviceWorkingSet) {
    const { topology: classTopology, devices } = podClass;
    const { topology } = set;
    const checks = classTopology?.checksWith(preferences);
    this.#counted =
      classTopology === undefined || topology === undefined || checks === undefined ? undefined : { topology, classTopology, checks };
    this.#applicant = this.#counted === undefined ? { podClass, rung } : { podClass, rung, checks: this.#counted.checks };
    this.#isPreferring = preferences > 0;
    this.#devices = devices ?? { claims: [], text: '', isTied: false, problem: undefined };
    this.#existing = set.existing;
    this.#open = set.open;
    this.#set = set;
  }

  *placing(): Steps<boolean> {
    yield* this.#set.ledger.judging(this.#devices);
    if (this.#devices.work?.refusal !== undefined) return false;
    this.#set.ledger.startPod(this.#devices);
    return (yield* this.#placingOnNode()) || this.#placeOnDraft() || this.#placeOnNew();
  }

  *#placingOnNode(): Steps<boolean> {
    const { podClass, rung } = this.#applicant;
    const accepted = this.#existing.acceptedBy(rung);
    for (let node = 0; node < accepted.length; node++) {
      if (accepted[node] === 0 || this.#existing.roomOn(node, podClass, 1) === 0 || !this.#isAllowedOn(node)) continue;
      const found = this.#set.ledger.onNode(node, this.#devices);
      if (found === undefined) {
        yield;
        continue;
      }
      found.commit();
      this.#existing.put(this.#applicant, node, 1);
      this.#counted?.topology.placeOnNode(this.#counted.classTopology, node, 1);
      return true;
    }
    return false;
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
  #placeOnDraft(): boolean {
    const { drafts } = this.#open;
    const numbers = drafts
      .map((_, number) => number)
      .filter((number) => !this.#set.ledger.hasDraftRefused(number, this.#devices))
      .filter((number) => this.#open.mayHaveRoom(number, this.#applicant.podClass, 1) && this.#isAllowedOnDraft(number))
      .sort((a, b) => (drafts[a]?.podCount ?? 0) - (drafts[b]?.podCount ?? 0) || a - b);
    return numbers.some((number) => this.#joins(number));
  }

  #isAllowedOnDraft(number: number): boolean {
    if (this.#counted === undefined) return true;
    const { topology, checks } = this.#counted;
    const host = topology.hostOfDraft(number);
    return firstRefusal(checks.host, () => host) === undefined;
  }

  #joins(number: number): boolean {
    const draft = this.#open.drafts[number];
    if (draft === undefined) return false;
    const chosen = this.#choices(draft.fit.state, { number, isOpen: true, used: draft.used, allowedTypes: draft.allowedTypes });
    for (const { state, types, found } of chosen) {
      if (!this.#open.addNarrowing(number, this.#applicant, { state, types })) continue;
      this.#settle(draft, number, found);
      return true;
    }
    return false;
  }

  #placeOnNew(): boolean {
    const number = this.#open.drafts.length;
    if (!this.#isAllowedOnDraft(number)) return false;
    let devices: DevicesOnDraft | undefined;
    const made = this.#set.findNode((initial, allowedTypes) => {
      const used = new Float64Array(initial.template.columns.length);
      for (const { state, types, found } of this.#choices(initial, { number, isOpen: false, used, allowedTypes })) {
        devices = found;
        const draft = openInState(state, this.#applicant, types);
        if (draft !== undefined) return draft;
      }
      return undefined;
    });
    if (made === undefined || devices === undefined) return false;
    this.#open.push(chargeNode(made));
    this.#settle(made.draft, number, devices);
    return true;
  }

  #settle(draft: Draft, number: number, { commit, drivers }: DevicesOnDraft): void {
    commit();
    if (drivers.length > 0) draft.deviceDrivers = new Set([...(draft.deviceDrivers ?? []), ...drivers]);
    this.#counted?.topology.placeOnDraft(this.#counted.classTopology, number, draft.fit.state);
  }

  /**
   * The states that the node may take on with the pod, in the order in which they are tried, with the types that bring
   * its devices.
   */
  *#choices(before: NodeState, room: Room): Iterable<Chosen> {
    const next = nextState(before, this.#applicant.rung);
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

  #choice(state: NodeState, { number, isOpen, used, allowedTypes }: Room): Chosen | undefined {
    const { template } = state;
    const { catalog } = template;
    const fit = fitOf(state, used, allowedTypes);
    if (fit === undefined) return undefined;
    const types = typesByPrice(state).flatMap(({ type }) => {
      const instanceType = hasBit(fit.types, type) ? catalog.types[type] : undefined;
      return instanceType === undefined ? [] : [{ number: type, type: instanceType }];
    });
    const accepts = (requirements: NodeState['requirements'], type: number): boolean => {
      const narrowed = requirements === state.requirements ? state : internState(template, requirements);
      return narrowed !== undefined && hasBit(narrowed.types, type);
    };
    // A node that lacks devices where the pod prefers to be may have them elsewhere: the ledger remembers no such refusal.
    const place = { number, isOpen: isOpen && !this.#isPreferring, requirements: state.requirements, types, template, accepts };
    const found = this.#set.ledger.onDraft(place, this.#devices);
    const narrowed = found === undefined || found.requirements === state.requirements ? state : internState(template, found.requirements);
    if (found === undefined || narrowed === undefined) return undefined;
    return { state: narrowed, types: { id: `${found.types.join('.')}:`, types: found.types }, found };
  }
}

/** What is left of a planned node. */
interface Room {
  readonly number: number;
  readonly isOpen: boolean;
  readonly used: Float64Array;
  readonly allowedTypes: AllowedTypes;
}

/** Of more preferences only all together are tried, and the sets of so many: the heaviest. */
const MOST_WEIGHED = 4;

/** Sets of preferences, a bit each, in the order in which they are tried: all, then the heaviest sets first, then none. */
const preferenceSets = (count: number): readonly number[] => {
  const weighed = Math.min(count, MOST_WEIGHED);
  const setOf = (rank: number): number => {
    let set = 0;
    for (let preference = 0; preference < weighed; preference++) if ((rank >> (weighed - 1 - preference)) & 1) set |= 1 << preference;
    return set;
  };
  return [...new Set([2 ** count - 1, ...Array.from({ length: 2 ** weighed }, (_, index) => setOf(2 ** weighed - 1 - index))])];
};

/** The rungs of a demand in the order in which they are tried, with its preferences and without. */
function* preferringRungs(demand: Demand): Iterable<PreferringRung> {
  const { podClass } = demand;
  const sets = preferenceSets(podClass.preferences.length);
  for (const rungs of levelsOf(demand))
    for (const preferences of sets) for (const rung of podClass.preferring(rungs, preferences)) yield { rung, preferences };
}

/**
 * Places up to `wanted` pods with device claims one by one, with the heaviest of their preferences that some place
 * meets. Returns how many it placed. Pauses after each: its search may take thousands of tries.
 */
export function* placingWithDevices(demand: Demand, wanted: number, set: DeviceWorkingSet): Steps<number> {
  const { podClass } = demand;
  let placed = 0;
  for (const preferring of preferringRungs(demand)) {
    const placer = new DevicePlacer(demand, preferring, set);
    const relaxed = podClass.preferences.flatMap((_, preference) => ((preferring.preferences >> preference) & 1 ? [] : [{ preference }]));
    while (placed < wanted && (yield* placer.placing())) {
      set.relaxed.add(podClass, relaxed);
      placed++;
      yield;
    }
    if (placed === wanted) return placed;
    yield;
  }
  return placed;
}
