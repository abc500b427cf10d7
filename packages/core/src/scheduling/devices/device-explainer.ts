import type { Steps } from '../../base/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import { taintAsText } from '../../kube/index.ts';
import type { Requirements } from '../../requirements/index.ts';
import { allocateDevices, avoidsPool, canEnter, hasCounters, hasRoom, isWithoutDevices, toleratesDevice } from './claim-allocation.ts';
import type { Allocation, DeviceEffort, WantedClaim } from './claim-allocation.ts';
import { explainConstraint } from './attribute-constraint.ts';
import { MOST_DEVICES } from './claim-request.ts';
import type { ClaimRequest } from './claim-request.ts';
import type { DaemonDevices } from './daemon-devices.ts';
import type { DeviceShortage, SearchedNewNode } from './device-ledger.ts';
import type { PoolDevice } from './device.ts';
import type { DeviceOffers, OfferedPools } from './device-offers.ts';
import type { DevicePool } from './device-pools.ts';
import { consumedCapacity, DeviceUsage } from './device-usage.ts';
import type { Grant } from './device-usage.ts';
import type { ClaimUse, PodDevices } from './pod-devices.ts';
import type { SearchCut } from './search-budget.ts';
import { PlannedWhereabouts } from './whereabouts.ts';
import type { Whereabouts } from './whereabouts.ts';

/** Which instance types bring the devices of a pod, were it alone, and why the others do not, in words. */
export interface DeviceReasons {
  readonly isBroughtBy: (type: InstanceType) => boolean;
  readonly detail: string;
  /** Why a node of a type that brings the devices will still not do. */
  readonly shortageDetail: string;
}

/** A new node that a pod did not get, with the types that are to be explained. */
export type ExplainedNode = Pick<SearchedNewNode, 'requirements' | 'types' | 'template' | 'accepts'>;

/** How many devices one search may try, and how many may be tried or checked for one pod. */
const MOST_STEPS = 5_000;
const MOST_STEPS_A_POD = 40_000;
/** The same for the pods of one namespace: the devices of its other pods are not explained. */
const MOST_STEPS_A_NAMESPACE = 60_000;
/** Devices that are checked in the time of one try. */
const CHECKS_A_STEP = 4;

const UNEXPLAINED = 'what keeps its devices from it was not searched for: the claims of other pods of its namespace took too long';

/** A machine of some type, on which only daemons run. All of them share what may still be tried. */
interface Machine {
  readonly offer: OfferedPools;
  readonly ofDaemons: DeviceUsage;
  /** What others have of published devices; nothing where the pod is explained as if it were alone. */
  readonly inUse: DeviceUsage;
  readonly effort: DeviceEffort;
  readonly newWhereabouts: () => Whereabouts;
}

/** A machine on which the requests before the one to be explained have their devices. */
interface Stage extends Machine {
  readonly usage: DeviceUsage;
  readonly grants: readonly Grant[];
  /** Where it is then. */
  readonly whereabouts: Whereabouts;
}

interface Found {
  readonly device: PoolDevice;
  readonly pool: DevicePool;
  readonly stage: Stage;
}

/** Why the device is not for a request; undefined where it may be. */
type Check = (found: Found) => string | undefined;

const selectorChecks = ({ selectors }: ClaimRequest): readonly Check[] =>
  selectors.map(({ expression, selects }) => ({ device }) => {
    const answer = selects(device);
    if (answer === true) return undefined;
    return answer === false ? `not selected by ${expression}` : `not judged by ${expression} (${answer.problem})`;
  });

const checkTaints = (request: ClaimRequest, device: PoolDevice): string | undefined => {
  const taint = device.taints.find((each) => !toleratesDevice(request, { ...device, taints: [each] }));
  return taint && `tainted with ${taintAsText(taint)}`;
};

const checkCapacity = (request: ClaimRequest, device: PoolDevice): string | undefined => {
  if (consumedCapacity(request.capacity, device) !== undefined) return undefined;
  const short = [...request.capacity].find((amount) => consumedCapacity(new Map([amount]), device) === undefined);
  return `short of ${short === undefined ? 'the default capacity' : `the capacity ${short[0]}`}`;
};

const isTaken = ({ isAdmin }: ClaimRequest, { allowsMultiple, id }: PoolDevice, usage: DeviceUsage): boolean =>
  !isAdmin && !allowsMultiple && usage.isTaken(id);

const checkUse = (request: ClaimRequest, { device, pool, stage: { ofDaemons, inUse, usage, whereabouts } }: Found): string | undefined => {
  if (isTaken(request, device, inUse)) return 'in use';
  if (isTaken(request, device, ofDaemons)) return 'for DaemonSets';
  if (isTaken(request, device, usage)) return 'for the requests before it';
  if (!canEnter(device.reach, whereabouts)) return 'out of reach';
  if (!hasCounters(device, pool, usage)) return 'short of shared counters';
  const consumed = consumedCapacity(request.capacity, device);
  return consumed !== undefined && !hasRoom(device, consumed, usage) ? 'full' : undefined;
};

/** In the order in which they remove devices. */
const checksOf = (request: ClaimRequest): readonly Check[] => [
  ({ pool }) => (pool.state === 'ready' ? undefined : `of a pool that is ${pool.state}`),
  ...selectorChecks(request),
  ({ device }) => checkTaints(request, device),
  ({ device }) => checkCapacity(request, device),
  (found) => checkUse(request, found),
];

/** What is left of the devices of some machines after all checks of a request, and what removed the others. */
interface Tally {
  readonly total: number;
  /** Why, device by device, in the order of the checks. */
  readonly removed: readonly string[];
  readonly left: readonly Found[];
}

const tallyOf = (request: ClaimRequest, stages: readonly Stage[]): Tally => {
  const removedBy = new Map<PoolDevice, string>();
  let left: readonly Found[] = stages.flatMap((stage) =>
    stage.offer.pools.flatMap((pool) => pool.devices.map((device) => ({ device, pool, stage }))),
  );
  const total = new Set(left.map(({ device }) => device)).size;
  for (const check of checksOf(request))
    left = left.filter((found) => {
      const why = check(found);
      if (why !== undefined && !removedBy.has(found.device)) removedBy.set(found.device, why);
      return why === undefined;
    });
  for (const { device } of left) removedBy.delete(device);
  return { total, removed: [...removedBy.values()], left };
};

/** `4 are not selected by …`, for each reason. */
const countTexts = (reasons: readonly string[]): readonly string[] =>
  [...new Set(reasons)].map((why) => {
    const count = reasons.filter((each) => each === why).length;
    return `${count} ${count === 1 ? 'is' : 'are'} ${why}`;
  });

/** How many of the devices are on the machine that has the most. */
const mostOnOne = (found: readonly Found[]): number => {
  let [most, count] = [0, 0];
  // Those of one machine follow each other.
  for (const [index, { stage }] of found.entries()) {
    count = found[index - 1]?.stage === stage ? count + 1 : 1;
    most = Math.max(most, count);
  }
  return most;
};

/** The pools without which no node of these meets a request for all devices. */
const blockingPools = (stages: readonly Stage[]): readonly DevicePool[] => {
  const unready = stages.map(({ offer, newWhereabouts }) =>
    offer.pools.filter((pool) => pool.state !== 'ready' && !avoidsPool(pool, newWhereabouts())),
  );
  return unready.every((pools) => pools.length > 0) ? [...new Map(unready.flat().map((pool) => [pool.key, pool])).values()] : [];
};

const wantedText = ({ wantsAll, count }: ClaimRequest): string =>
  wantsAll ? 'all devices' : count === 1 ? 'a device' : `${count} devices`;

/** What keeps a request from as many devices as one machine has left, `onOne`, beside those that its claim has. */
const limitTexts = (
  request: ClaimRequest,
  stages: readonly Stage[],
  { onOne, held }: { onOne: number; held: number },
): readonly string[] => {
  const blocking = request.wantsAll ? blockingPools(stages) : [];
  const isBeyond = (request.wantsAll ? onOne : request.count) + held > MOST_DEVICES;
  return [
    ...blocking.map(({ key, state }) => `and no request for all devices is met beside pool ${key}, which is ${state}`),
    ...(isBeyond ? [`and a ResourceClaim has ${MOST_DEVICES} at most`] : []),
  ];
};

const requestText = (use: ClaimUse, request: ClaimRequest, stages: readonly Stage[]): string => {
  const { total, removed, left } = tallyOf(request, stages);
  for (const { effort } of stages.slice(0, 1)) effort.steps -= Math.ceil(total / CHECKS_A_STEP);
  const onOne = mostOnOne(left);
  const [first] = stages;
  const held = (first?.grants ?? []).filter(({ claimKey }) => claimKey === use.key).length;
  const steps = [...countTexts(removed), `${new Set(left.map(({ device }) => device)).size} left`];
  if (stages.length > 1 && left.length > 0) steps.push(`at most ${onOne} on one node`);
  return [
    `request ${request.name} of ResourceClaim ${use.key} wants ${wantedText(request)} of DeviceClass ${request.deviceClassName}: of ${total}`,
    ...steps,
    ...limitTexts(request, stages, { onOne, held }),
  ].join(', ');
};

const usageOf = ({ ofDaemons, inUse }: Machine): DeviceUsage => new DeviceUsage(ofDaemons, inUse);

const allocateOn = (machine: Machine, claims: readonly WantedClaim[], whereabouts: Whereabouts): Allocation => {
  const { offer, effort } = machine;
  const own = { steps: Math.min(MOST_STEPS, effort.steps) };
  effort.steps -= own.steps;
  const allocation = allocateDevices(claims, { ...offer, usage: usageOf(machine), whereabouts }, own);
  effort.steps += Math.max(0, own.steps);
  return allocation;
};

/** Whether any of the machines has devices for the claims. */
function* bringing(claims: readonly WantedClaim[], machines: readonly Machine[]): Steps<boolean> {
  for (const machine of machines) {
    yield;
    if (allocateOn(machine, claims, machine.newWhereabouts()).kind === 'allocated') return true;
  }
  return false;
}

/** The machines that bring devices for the claims, with these in use. */
function* stagingWith(claims: readonly WantedClaim[], machines: readonly Machine[]): Steps<readonly Stage[]> {
  const stages: Stage[] = [];
  for (const machine of machines) {
    yield;
    const whereabouts = machine.newWhereabouts();
    const allocation = allocateOn(machine, claims, whereabouts);
    if (allocation.kind !== 'allocated') continue;
    const usage = usageOf(machine);
    for (const grant of allocation.grants) usage.hold(grant);
    stages.push({ ...machine, usage, grants: allocation.grants, whereabouts });
  }
  return stages;
}

/** The first requests and constraints of a claim. */
const partOf = ({ key, wanted }: ClaimUse, requests: number, constraints: number): WantedClaim => ({
  key,
  wanted: { requests: wanted.requests.slice(0, requests), constraints: wanted.constraints.slice(0, constraints) },
});

/**
 * Explains the first request of a claim, else its first constraint, that no machine meets beside what comes before it;
 * undefined where all are met.
 */
function* explainingClaim(use: ClaimUse, before: readonly WantedClaim[], machines: readonly Machine[]): Steps<string | undefined> {
  const { requests, constraints } = use.wanted;
  for (const [unmet, request] of requests.entries()) {
    if (yield* bringing([...before, partOf(use, unmet + 1, 0)], machines)) continue;
    const stages = yield* stagingWith([...before, partOf(use, unmet, 0)], machines);
    const texts: string[] = [];
    for (const alternative of request) {
      texts.push(requestText(use, alternative, stages));
      yield;
    }
    return texts.join('; ');
  }
  let broken = 0;
  while (broken < constraints.length && (yield* bringing([...before, partOf(use, requests.length, broken + 1)], machines))) broken++;
  if (broken >= constraints.length) return undefined;
  const perNode = (yield* stagingWith(before, machines)).map((stage) => ({
    groups: stage.offer.groups,
    devicesFor: (request: ClaimRequest) => tallyOf(request, [stage]).left.map(({ device }) => device),
  }));
  return explainConstraint(use, broken, perNode);
}

function* explainingClaims(claims: readonly ClaimUse[], machines: readonly Machine[]): Steps<string> {
  let isCut = false;
  for (const machine of machines) {
    isCut ||= allocateOn(machine, claims, machine.newWhereabouts()).kind === 'too-complex';
    yield;
  }
  const suffix = isCut ? '; the search for devices was cut short' : '';
  for (const [index, use] of claims.entries()) {
    const detail = yield* explainingClaim(use, claims.slice(0, index), machines);
    if (detail !== undefined) return `${detail}${suffix}`;
  }
  return `its ResourceClaims cannot be met together${suffix}`;
}

/** Claims that have devices need none of a node. */
const openClaims = ({ claims }: PodDevices): readonly ClaimUse[] => claims.filter(({ claim }) => claim?.status?.allocation === undefined);

/** Whether it reaches devices besides those that it brings. */
const reachesPublished = ({ offer }: Machine): boolean => offer.pools.some(({ devices }) => devices.some(({ isTemplate }) => !isTemplate));

/** Why the machines do not bring devices for the claims beside those in use; undefined where some does. */
function* explainingUse(
  claims: readonly ClaimUse[],
  machines: readonly Machine[],
  shortage: DeviceShortage | undefined,
): Steps<string | undefined> {
  if (shortage === undefined || !machines.some(reachesPublished)) return undefined;
  const beside = machines.map((machine) => ({ ...machine, inUse: shortage.inUse }));
  return (yield* bringing(claims, beside)) ? undefined : yield* explainingClaims(claims, beside);
}

const CUT: Readonly<Record<SearchCut, string>> = {
  pod: 'the search for its devices was cut short: it took too long',
  namespace: 'the search for its devices was cut short: those of other pods of its namespace took too long',
};

/** Why claims that several pods may use bind the pod to other places, in words; undefined where it has none. */
const boundElsewhere = ({ claims }: PodDevices): string | undefined => {
  const texts = claims
    .filter(({ isTied }) => isTied)
    .map(({ key, claim }) => {
      const { results } = claim?.status?.allocation?.devices ?? {};
      if (results === undefined) return `other pods use ResourceClaim ${key} as well, at most 256 can, and its devices are where they run`;
      return `ResourceClaim ${key} has its devices already: ${results.map(({ device, pool }) => `${device} of pool ${pool}`).join(', ')}`;
    });
  return texts.length > 0 ? texts.join('; ') : undefined;
};

const NONE = new DeviceUsage();

/** Why a node of a type that brings the devices will still not do. */
function* explainingShortage(pod: PodDevices, machines: readonly Machine[], shortage: DeviceShortage | undefined): Steps<string> {
  if (shortage?.cut !== undefined) return CUT[shortage.cut];
  const why = boundElsewhere(pod) ?? (yield* explainingUse(openClaims(pod), machines, shortage));
  return why ?? 'its devices are in use, or no single node that it may go to reaches all of them';
}

/** A node that a pod did not get, and what it may lack. */
interface Unplaced {
  readonly node: ExplainedNode;
  readonly shortage: DeviceShortage | undefined;
}

/** Explains why pods of one plan with claims find no place. Worked out only for pods that find none. */
export class DeviceExplainer {
  readonly #offers: DeviceOffers;
  readonly #daemons: DaemonDevices;
  /** Namespace → how many devices may still be tried and checked for its pods. */
  readonly #left = new Map<string, number>();

  constructor(offers: DeviceOffers, daemons: DaemonDevices) {
    this.#offers = offers;
    this.#daemons = daemons;
  }

  *explaining(pod: PodDevices, node: ExplainedNode, shortage: DeviceShortage | undefined): Steps<DeviceReasons> {
    pod.startWork?.();
    const left = this.#left.get(pod.namespace) ?? MOST_STEPS_A_NAMESPACE;
    const most = Math.min(MOST_STEPS_A_POD, left);
    if (most <= 0) return { isBroughtBy: () => false, detail: UNEXPLAINED, shortageDetail: '' };
    const effort: DeviceEffort = { steps: most };
    const reasons = yield* this.#explainingWithin(effort, pod, { node, shortage });
    this.#left.set(pod.namespace, left - (most - effort.steps));
    return reasons;
  }

  *#explainingWithin(effort: DeviceEffort, pod: PodDevices, { node, shortage }: Unplaced): Steps<DeviceReasons> {
    const claims = openClaims(pod);
    const suited = new Set<InstanceType>();
    const brought: Machine[] = [];
    for (const { type, number } of node.types) {
      const machine = this.#machineOf(node, { type, number }, effort);
      if (isWithoutDevices(claims, machine.offer)) continue;
      brought.push(machine);
      if (yield* bringing(claims, [machine])) suited.add(type);
    }
    const isBroughtBy = (type: InstanceType): boolean => suited.has(type);
    if (suited.size === 0) return { isBroughtBy, detail: yield* explainingClaims(claims, brought), shortageDetail: '' };
    return { isBroughtBy, detail: '', shortageDetail: yield* explainingShortage(pod, brought, shortage) };
  }

  #machineOf(
    { requirements, template, accepts }: ExplainedNode,
    { type, number }: ExplainedNode['types'][number],
    effort: DeviceEffort,
  ): Machine {
    const { wellKnown } = template;
    const place = { requirements, wellKnown, accepts: (each: Requirements) => accepts(each, number) };
    return {
      offer: this.#offers.ofType(type, this.#offers.wideFor(requirements, wellKnown)),
      ofDaemons: this.#daemons.onMachine(template, type),
      inUse: NONE,
      effort,
      newWhereabouts: () => new PlannedWhereabouts(this.#offers, place),
    };
  }
}
