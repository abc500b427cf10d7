import type { InstanceType } from '../../catalog/index.ts';
import { allocateDevices, anywhere, toleratesDevice } from './allocate.ts';
import { consumedCapacity } from './capacity-request.ts';
import type { DaemonDevices, MachinesWithDaemons } from './daemon-devices.ts';
import type { ClaimRequest } from './claim-request.ts';
import type { PoolDevice } from './device.ts';
import type { DeviceOffers, OfferedPools } from './device-offers.ts';
import type { DeviceUsage } from './device-usage.ts';
import type { ClaimUse, PodDevices } from './pod-devices.ts';

/** Which instance types bring the devices of a pod, were it alone, and why the others do not, in words. */
export interface DeviceReasons {
  readonly isBroughtBy: (type: InstanceType) => boolean;
  readonly detail: string;
}

const MOST_STEPS = 5_000;

/** A check of a request, and how many devices it removed of those that the checks before it had left. */
interface Removal {
  readonly check: string;
  readonly removed: number;
}

type Check = readonly [check: string, keeps: (device: PoolDevice) => boolean];

/** What is wrong with a selector wins over how many it removed. */
const selectorCheck = ({ expression, selects }: ClaimRequest['selectors'][number], devices: readonly PoolDevice[]): Check => {
  const answers = devices.map((device) => selects(device));
  const problem = answers.find((answer) => typeof answer !== 'boolean');
  const check = problem === undefined ? `not selected by ${expression}` : `not judged by ${expression} (${problem.problem})`;
  return [check, (device) => selects(device) === true];
};

/** What is left of the devices after each check of the request. */
const removalsOf = (
  request: ClaimRequest,
  devices: readonly PoolDevice[],
  ofDaemons: ReadonlySet<PoolDevice>,
): { readonly left: number; readonly removals: readonly Removal[] } => {
  let left = devices;
  const removals: Removal[] = [];
  const keep = ([check, keeps]: Check): void => {
    const kept = left.filter(keeps);
    if (kept.length < left.length) removals.push({ check, removed: left.length - kept.length });
    left = kept;
  };
  for (const selector of request.selectors) keep(selectorCheck(selector, left));
  keep(['tainted', (device) => toleratesDevice(request, device)]);
  keep(['short of the capacity', (device) => consumedCapacity(request.capacity, device) !== undefined]);
  if (!request.isAdmin) keep(['for DaemonSets', (device) => !ofDaemons.has(device)]);
  return { left: left.length, removals };
};

/** The devices of some types, and those of them that daemons take. */
interface BroughtDevices {
  readonly devices: readonly PoolDevice[];
  readonly ofDaemons: ReadonlySet<PoolDevice>;
}

const textOf = ({ key }: ClaimUse, request: ClaimRequest, { devices, ofDaemons }: BroughtDevices): string => {
  const { left, removals } = removalsOf(request, devices, ofDaemons);
  const wanted = request.wantsAll ? 'all devices' : request.count === 1 ? 'a device' : `${request.count} devices`;
  const steps = [...removals.map(({ check, removed }) => `${removed} ${removed === 1 ? 'is' : 'are'} ${check}`), `${left} left`];
  return `request ${request.name} of ResourceClaim ${key} wants ${wanted} of DeviceClass ${request.deviceClassName}: of ${devices.length}, ${steps.join(', ')}`;
};

/** Explains why pods with claims find no place. Worked out only for pods that find none. */
export class DeviceExplainer {
  readonly #offers: DeviceOffers;
  readonly #daemons: DaemonDevices;

  constructor(offers: DeviceOffers, daemons: DaemonDevices) {
    this.#offers = offers;
    this.#daemons = daemons;
  }

  /** `types`: those of the machines that are to be explained. */
  reasons({ claims }: PodDevices, machines: MachinesWithDaemons, types: readonly InstanceType[]): DeviceReasons {
    const brought = types.map((type) => ({ offer: this.#offers.ofType(type), usage: this.#daemons.onMachine(machines, type) }));
    const bringing = new Set(types.filter((_, index) => brings(claims, brought.slice(index, index + 1))));
    return { isBroughtBy: (type) => bringing.has(type), detail: bringing.size > 0 ? '' : detailOf(claims, brought) };
  }
}

/** A machine of some type, on which only daemons run. */
interface Machine {
  readonly offer: OfferedPools;
  readonly usage: DeviceUsage;
}

/** Whether any of the machines has devices for the claims. */
const brings = (claims: readonly ClaimUse[], machines: readonly Machine[]): boolean =>
  machines.some(
    ({ offer, usage }) => allocateDevices(claims, { ...offer, usage, whereabouts: anywhere }, { steps: MOST_STEPS }).kind === 'allocated',
  );

const devicesOf = (machines: readonly Machine[]): BroughtDevices => {
  const all = machines.flatMap(({ offer, usage }) =>
    offer.pools.flatMap(({ devices }) => devices.map((device) => ({ device, isOfDaemon: usage.isTaken(device.id) }))),
  );
  const ofDaemons = all.flatMap(({ device, isOfDaemon }) => (isOfDaemon && !device.allowsMultiple ? [device] : []));
  return { devices: [...new Set(all.map(({ device }) => device))], ofDaemons: new Set(ofDaemons) };
};

/** The first request that no machine meets alone; else that they cannot be met together. */
const detailOf = (claims: readonly ClaimUse[], machines: readonly Machine[]): string => {
  for (const use of claims) {
    const { requests, constraints } = use.wanted;
    const unmet = requests.find((each) => !brings([{ ...use, wanted: { requests: [each], constraints: [] } }], machines));
    const [first] = unmet ?? [];
    if (first !== undefined) return textOf(use, first, devicesOf(machines));
    if (!brings([use], machines))
      return `the requests of ResourceClaim ${use.key} cannot be met together${constraints.length > 0 ? ' under its constraints' : ''}`;
  }
  return 'its ResourceClaims cannot be met together';
};
