import type { BitSet, Steps } from '../../base/index.ts';
import { addBit, emptyBitSet, getOrMake, memoByKey } from '../../base/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import type { Requirements } from '../../requirements/index.ts';
import { allocateTogether, FreeDevices, selectsPoolDevice } from './claim-allocation.ts';
import type { DeviceOffer } from './claim-allocation.ts';
import type { ClaimedDevices, SettledClaim } from './claimed-devices.ts';
import type { DaemonDevices, MachinesWithDaemons } from './daemon-devices.ts';
import type { DeviceOffers } from './device-offers.ts';
import { DeviceUsage } from './device-usage.ts';
import type { Grant } from './device-usage.ts';
import type { ClaimUse, PodDevices } from './pod-devices.ts';
import { SearchBudget } from './search-budget.ts';
import type { SearchCut } from './search-budget.ts';
import { anywhere, PlannedWhereabouts, reachingAll } from './whereabouts.ts';
import type { PlannedPlace } from './whereabouts.ts';

/** The devices of a snapshot, and what daemons and claims take of them. */
export interface KnownDevices {
  readonly offers: DeviceOffers;
  readonly daemons: DaemonDevices;
  readonly claimed: ClaimedDevices;
}

/** Devices found for a pod on a place; `commit` takes them. */
export interface DevicesOnNode {
  readonly commit: () => void;
}

/** A new node to search for devices. `number`: the number that it has or will get. */
export interface SearchedNewNode {
  readonly number: number;
  /** Whether pods are on it already. Another pool may still make one that has none. */
  readonly isOpen: boolean;
  readonly requirements: Requirements;
  /** The types it may have, cheapest first, and their numbers. */
  readonly types: readonly { readonly number: number; readonly type: InstanceType }[];
  /** Its template, and the name of that template's pool. */
  readonly template: MachinesWithDaemons & { readonly name: string; readonly wellKnown: ReadonlySet<string> };
  /** Whether the type can still be had with these requirements. */
  readonly accepts: (requirements: Requirements, type: number) => boolean;
}

/** A machine of a type that is still to be made. */
export interface NewMachine {
  /** With the name of its pool. */
  readonly template: MachinesWithDaemons & { readonly name: string };
  readonly type: InstanceType;
}

/** Devices found for a pod on a new node: what it has to be then, and the types that bring them. */
export interface DevicesOnNewNode extends DevicesOnNode {
  readonly requirements: Requirements;
  readonly types: BitSet;
  /** Drivers whose devices the node brings itself. */
  readonly drivers: readonly string[];
}

/** Why a pod may lack devices. `cut`: its last search was cut short. `inUse`: what claims have of published devices. */
export interface DeviceShortage {
  readonly cut: SearchCut | undefined;
  readonly inUse: DeviceUsage;
}

/** Pods that can use one claim. Source: Kubernetes, `ResourceClaimReservedForMaxSize`. */
const MOST_USERS = 256;
/** Steps of selectors between two pauses: some milliseconds. */
const STEPS_A_PAUSE = 20_000;
/** The same of types that are searched and of devices that are tried for one pod on them. */
const TRIES_A_PAUSE = 1000;

/** What of a snapshot's devices is taken in one solve, and by which claims. */
export class DeviceLedger {
  readonly #offers: DeviceOffers;
  readonly #daemons: DaemonDevices;
  readonly #claimed: ClaimedDevices;
  /** What claims have of published devices. */
  readonly #cluster: DeviceUsage;
  /** New node and type → what is taken of the devices that the machine will bring. */
  readonly #expected = new Map<string, DeviceUsage>();
  readonly #cuts = new Map<PodDevices, SearchCut>();
  /** Of claims that were given devices in this solve, and of those that lose them: undefined. */
  readonly #settled = new Map<string, SettledClaim | undefined>();
  /** Claim → how many pods use it, where this solve changes that. Only claims that pods may share. */
  readonly #users = new Map<string, number>();
  /** Place → the texts of pods that it has refused: places only fill up. */
  readonly #refused = new Map<string, Set<string>>();
  /** Pool → the texts of pods → types. */
  readonly #barren = new Map<string, Map<string, Set<InstanceType>>>();
  readonly #budget: SearchBudget;
  #pod: PodDevices | undefined;
  #typesSearched = 0;
  #triesAtPause = 0;

  /** `moving`: pods that leave their nodes because of the question. Costs what their claims have, not what all have. */
  constructor({ offers, daemons, claimed }: KnownDevices, moving: ReadonlySet<string>) {
    this.#offers = offers;
    this.#daemons = daemons;
    this.#claimed = claimed;
    this.#cluster = new DeviceUsage(claimed.usage);
    this.#budget = new SearchBudget(offers.nodesWithDevices);
    for (const { key, users, freed } of claimed.changedBy(moving)) {
      this.#users.set(key, users);
      if (freed === undefined) continue;
      this.#settled.set(key, undefined);
      for (const grant of freed) this.#cluster.putBack(grant);
    }
  }

  /** Lets the next searches try as much as those for one pod may. */
  startPod(pod: PodDevices): void {
    this.#budget.startPod(pod.namespace);
    this.#pod = pod;
    this.#cuts.delete(pod);
    pod.startWork?.();
  }

  /** The next searches for the pod are for a new node. */
  startNewNode(): void {
    this.#budget.startNewNode();
  }

  /** How much was searched for devices. */
  get work(): number {
    return this.#budget.work;
  }

  /** Why such a pod may lack devices that nodes would bring, or reach. */
  shortageOf(pod: PodDevices): DeviceShortage {
    return { cut: this.#cuts.get(pod), inUse: this.#cluster };
  }

  /** Evaluates the selectors of the pod for the devices of all types, with pauses: a search needs them, and has none. */
  *judging(pod: PodDevices): Steps<void> {
    const { claims, work } = pod;
    if (work === undefined || work.isJudged) return;
    pod.startWork?.();
    let paused = work.steps;
    for (const pool of this.#offers.poolsOfTypes())
      for (const request of claims.flatMap(({ wanted }) => wanted.requests.flat()))
        for (const device of pool.devices) {
          selectsPoolDevice(request, device);
          if (work.refusal !== undefined) return;
          if (work.steps - paused < STEPS_A_PAUSE) continue;
          paused = work.steps;
          yield;
        }
    work.isJudged = true;
  }

  /** The types of a catalog on which a search for the pod's devices may find some; undefined: on any. */
  searchableTypes({ claims, isTied }: PodDevices, types: readonly InstanceType[]): BitSet | undefined {
    // Claims that others use as well may have their devices already.
    const isForAny = isTied || claims.every(({ wanted }) => wanted.requests.length === 0);
    return isForAny ? undefined : this.#offers.typesWithDevices(types);
  }

  /** Whether the new node has refused such a pod for good. */
  hasNewNodeRefused(number: number, pod: PodDevices): boolean {
    return this.#hasRefused(newNodeKey(number), pod);
  }

  /** The devices for a pod on an existing node; undefined where it cannot have them there. */
  onNode(number: number, pod: PodDevices): DevicesOnNode | undefined {
    const key = nodeKey(number);
    if (this.#hasRefused(key, pod)) return undefined;
    const found = this.#findOnNode(number, pod);
    if (found === undefined) this.#refuse(key, pod);
    return found && this.#withUsers(found, pod);
  }

  /** The devices for a pod on a new node; undefined where no type brings them. */
  *searchingNewNode(place: SearchedNewNode, pod: PodDevices): Steps<DevicesOnNewNode | undefined> {
    const key = newNodeKey(place.number);
    if (place.isOpen && this.#hasRefused(key, pod)) return undefined;
    const open = this.#openClaims(pod, (settled) => settled.kind === 'reached' || settled.key === key);
    const starts = open === undefined ? [] : this.#startsOf(place, pod);
    if (open === undefined || starts.length === 0) return undefined;
    for (const start of starts) {
      const found = yield* this.#searching({ place, open, start, pod });
      if (found !== undefined) return this.#withUsers(found, pod);
    }
    // With devices that only some nodes reach, another state of the node may still do.
    if (place.isOpen && !this.#offers.hasWide) this.#refuse(key, pod);
    return undefined;
  }

  /**
   * How many pods with such claims a new machine of the type takes of the devices that it brings, up to `most`. Takes
   * none of them.
   */
  *countingOnMachine({ template, type }: NewMachine, { claims, text }: PodDevices, most: number): Steps<number> {
    if (this.#offers.hasWide) return 0;
    const usage = new DeviceUsage(this.#daemons.onMachine(template, type));
    const offer = { ...this.#offers.ofType(type), usage, whereabouts: anywhere };
    for (let pods = 0; pods < most; pods++) {
      yield* this.#pausing();
      const grants = this.#allocate(claims, offer);
      if (grants === undefined) {
        if (pods === 0 && !this.#isCut) this.#barrenFor(template.name, text)?.add(type);
        return pods;
      }
      for (const grant of grants) usage.take(grant);
    }
    return most;
  }

  /** Seats the claims of pods that are on a node, or expected there, and have no devices yet. */
  seatPods(number: number, pods: readonly PodDevices[]): void {
    for (const pod of pods) {
      this.startPod(pod);
      const found = pod.problem === undefined ? this.#findOnNode(number, pod) : undefined;
      if (found !== undefined) found.commit();
      else if (this.#offers.isUnlaunched(number)) this.#keepFor(number, pod);
      // A claim with devices names its users itself.
      this.#addUser(pod.claims.filter(({ claim }) => claim?.status?.allocation === undefined));
    }
  }

  /** Takes what the pods of daemons need that are still to come to the node. */
  seatDaemons(number: number, daemons: readonly string[]): void {
    const { offer, expected } = this.#nodeOffer(number);
    for (const grant of this.#daemons.onNode(daemons, offer)) (grant.device.isTemplate ? expected : this.#cluster).take(grant);
  }

  /** Binds claims to a node whose devices are not known yet: other pods that use them wait, or join. */
  #keepFor(number: number, { claims }: PodDevices): void {
    for (const { key, isTied } of claims)
      if (isTied && this.#settledOf(key) === undefined) this.#settled.set(key, { kind: 'place', key: nodeKey(number) });
  }

  #hasTooManyUsers({ claims, podsAtOnce = 1 }: PodDevices): boolean {
    return claims.some(({ key, isTied }) => this.#usersOf(key) + (isTied ? podsAtOnce : 1) > MOST_USERS);
  }

  #settledOf(key: string): SettledClaim | undefined {
    return this.#settled.has(key) ? this.#settled.get(key) : this.#claimed.settledOf(key);
  }

  #usersOf(key: string): number {
    return this.#users.get(key) ?? this.#claimed.usersOf(key);
  }

  #addUser(claims: readonly ClaimUse[]): void {
    for (const { key, isTied } of claims) if (isTied) this.#users.set(key, 1 + this.#usersOf(key));
  }

  #withUsers<T extends DevicesOnNode>(found: T, { claims }: PodDevices): T {
    const commit = (): void => {
      found.commit();
      this.#addUser(claims);
    };
    return { ...found, commit };
  }

  #hasRefused(place: string, { text }: PodDevices): boolean {
    return this.#refused.get(place)?.has(text) === true;
  }

  /** Whether the last search was cut short: a refusal then says nothing of the place. */
  get #isCut(): boolean {
    return !this.#budget.isRefusalSure || this.#pod?.work?.refusal !== undefined;
  }

  /** What a tied claim is refused it may be given later, once another pod has devices for it. */
  #refuse(place: string, { text, isTied }: PodDevices): void {
    if (isTied || this.#isCut) return;
    const texts = this.#refused.get(place) ?? new Set();
    this.#refused.set(place, texts.add(text));
  }

  /**
   * The claims that are still to be given devices; undefined where those of another are out of reach, or have too many
   * users.
   */
  #openClaims(pod: PodDevices, isReached: (settled: SettledClaim) => boolean): readonly ClaimUse[] | undefined {
    if (this.#hasTooManyUsers(pod)) return undefined;
    const open: ClaimUse[] = [];
    for (const use of pod.claims) {
      const settled = this.#settledOf(use.key);
      if (settled === undefined) open.push(use);
      else if (!isReached(settled)) return undefined;
    }
    return open;
  }

  #findOnNode(number: number, pod: PodDevices): DevicesOnNode | undefined {
    const key = nodeKey(number);
    const isReached = (settled: SettledClaim): boolean =>
      settled.kind === 'place' ? settled.key === key : settled.reaches.every((reach) => this.#offers.isOn(reach, number));
    const open = this.#openClaims(pod, isReached);
    if (open === undefined) return undefined;
    const { offer, expected } = this.#nodeOffer(number);
    const grants = this.#allocate(open, offer, pod.podsAtOnce);
    if (grants === undefined) return undefined;
    return {
      commit: () => {
        for (const grant of grants) (grant.device.isTemplate ? expected : this.#cluster).take(grant);
        this.#settleAll(open, [grants], key);
      },
    };
  }

  readonly #nodeOffer = memoByKey((number: number): NodeOffer => {
    const expected = new DeviceUsage();
    const usage = new DeviceUsage(this.#cluster, expected);
    const offered = this.#offers.ofNode(number);
    return { expected, offer: { ...offered, usage, whereabouts: anywhere, free: new FreeDevices(offered.pools, usage) } };
  });

  /** Devices for one pod, where those are left that the others of so many need. */
  #allocate(open: readonly ClaimUse[], offer: DeviceOffer, podsAtOnce = 1): readonly Grant[] | undefined {
    if (open.length === 0) return [];
    const own = open.filter(({ isTied, wanted }) => !isTied && wanted.requests.length > 0);
    const claims = { claims: open, own, others: podsAtOnce - 1 };
    const allocation = this.#budget.search((effort) => allocateTogether(claims, offer, effort));
    const { cut } = this.#budget;
    if (cut !== undefined && this.#pod !== undefined) this.#cuts.set(this.#pod, cut);
    return allocation.kind === 'allocated' ? allocation.grants : undefined;
  }

  /** What the node can be to reach the devices of claims that have some. */
  #startsOf({ requirements, template }: SearchedNewNode, { claims }: PodDevices): readonly Requirements[] {
    const reaches = claims.flatMap(({ key }) => {
      const settled = this.#settledOf(key);
      return settled?.kind === 'reached' ? settled.reaches : [];
    });
    return reachingAll(reaches, this.#offers, { requirements, wellKnown: template.wellKnown });
  }

  /** Pauses if many types and devices were tried since the last pause. */
  *#pausing(): Steps<void> {
    const tries = this.#typesSearched + this.work;
    if (tries - this.#triesAtPause < TRIES_A_PAUSE) return;
    this.#triesAtPause = tries;
    yield;
  }

  *#searching(sought: Sought): Steps<DevicesOnNewNode | undefined> {
    const { place, open, start } = sought;
    const found: FoundOnType[] = [];
    let requirements = start;
    for (const searched of place.types) {
      yield* this.#pausing();
      this.#typesSearched++;
      const { number } = searched;
      const cheapest = found[0]?.number ?? number;
      // Every type is bought in the same place: the others keep to what the cheapest needs, and leave it a place.
      const accepts = (each: Requirements): boolean =>
        place.accepts(each, number) && (cheapest === number || place.accepts(each, cheapest));
      const onType = accepts(requirements) ? this.#searchOn(searched, { ...sought, start: requirements }, accepts) : undefined;
      if (onType === undefined) continue;
      requirements = onType.requirements;
      found.push(onType);
    }
    if (found.length === 0) return undefined;
    const types = emptyBitSet(place.template.catalog.types.length);
    for (const { number } of found) addBit(types, number);
    const byType = found.map(({ grants }) => grants);
    const brought = byType.flat().filter(({ device }) => device.isTemplate);
    return {
      requirements,
      types,
      drivers: [...new Set(brought.map(({ device }) => device.driver))].sort(),
      commit: () => {
        for (const { expected, grants } of found) for (const grant of grants) if (grant.device.isTemplate) expected.take(grant);
        for (const grant of dearestOf(byType)) this.#cluster.take(grant);
        this.#settleAll(open, byType, newNodeKey(place.number));
      },
    };
  }

  #searchOn(
    { number, type }: SearchedNewNode['types'][number],
    { place: { template, number: node, requirements }, open, start, pod }: Sought,
    accepts: PlannedPlace['accepts'],
  ): FoundOnType | undefined {
    const { name, wellKnown } = template;
    const barren = this.#barrenFor(name, pod.text);
    if (barren?.has(type) === true) return undefined;
    const expected = this.#usageOf(`${newNodeKey(node)} ${name} ${type.name}`, this.#daemons.onMachine(template, type));
    const whereabouts = new PlannedWhereabouts(this.#offers, { requirements: start, wellKnown, accepts });
    const offered = this.#offers.ofType(type, this.#offers.wideFor(requirements, wellKnown));
    const grants = this.#allocate(open, { ...offered, usage: new DeviceUsage(this.#cluster, expected), whereabouts }, pod.podsAtOnce);
    if (grants !== undefined) return { number, expected, grants, requirements: whereabouts.requirements };
    if (expected.isEmpty && !this.#isCut) barren?.add(type);
    return undefined;
  }

  /**
   * Types that lack the devices even on a node with nothing but daemons; undefined where that may depend on where the
   * node is.
   */
  #barrenFor(pool: string, text: string): Set<InstanceType> | undefined {
    if (this.#offers.hasWide) return undefined;
    const ofPool = getOrMake(this.#barren, pool, () => new Map<string, Set<InstanceType>>());
    return getOrMake(ofPool, text, () => new Set());
  }

  #settleAll(open: readonly ClaimUse[], byType: readonly (readonly Grant[])[], place: string): void {
    const all = byType.flat();
    for (const { key, isTied } of open) {
      // The next pod of the class has a claim of its own.
      if (!isTied) continue;
      const devices = all.filter(({ claimKey }) => claimKey === key).map(({ device }) => device);
      const isHere = devices.some(({ isTemplate, bindsToNode }) => isTemplate || bindsToNode);
      this.#settled.set(key, isHere ? { kind: 'place', key: place } : { kind: 'reached', reaches: devices.map(({ reach }) => reach) });
    }
  }

  #usageOf(key: string, ...below: readonly DeviceUsage[]): DeviceUsage {
    return getOrMake(this.#expected, key, () => new DeviceUsage(...below));
  }
}

/** What an existing node offers, and what is taken of the devices that it is still to bring. */
interface NodeOffer {
  readonly offer: DeviceOffer;
  readonly expected: DeviceUsage;
}

/** Devices of one type that a new node may have, and what it has to be for all types so far. */
interface FoundOnType {
  readonly number: number;
  /** What is taken of the devices that a machine of the type brings. */
  readonly expected: DeviceUsage;
  readonly grants: readonly Grant[];
  readonly requirements: Requirements;
}

/** Claims that want devices on a new node, and what it has to be already. */
interface Sought {
  readonly place: SearchedNewNode;
  readonly open: readonly ClaimUse[];
  readonly start: Requirements;
  readonly pod: PodDevices;
}

const nodeKey = (number: number): string => `node ${number}`;

const newNodeKey = (number: number): string => `planned ${number}`;

/** Of the published devices that some type would use: each once, with the most that any would take of it. */
const dearestOf = (byType: readonly (readonly Grant[])[]): readonly Grant[] => {
  const chosen = new Map<string, Grant>();
  for (const grants of byType) {
    const published = grants.filter(({ device, isAdmin }) => !device.isTemplate && !isAdmin);
    for (const [index, grant] of published.entries()) {
      const isSame = (other: Grant): boolean =>
        other.device === grant.device && other.claimKey === grant.claimKey && other.request === grant.request;
      const times = published.slice(0, index).filter(isSame).length;
      chosen.set(JSON.stringify([grant.claimKey, grant.request, grant.device.id, times]), grant);
    }
  }
  return [...chosen.values()];
};
