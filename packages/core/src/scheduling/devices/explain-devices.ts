import type { InstanceType } from '../../catalog/index.ts';
import { allocateDevices, anywhere, toleratesDevice } from './allocate.ts';
import { consumedCapacity } from './capacity-request.ts';
import type { ClaimRequest } from './claim-request.ts';
import type { PoolDevice } from './device.ts';
import type { DeviceOffers } from './device-offers.ts';
import { DeviceUsage } from './device-usage.ts';
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
  return { left: left.length, removals };
};

const textOf = ({ key }: ClaimUse, request: ClaimRequest, devices: readonly PoolDevice[]): string => {
  const { left, removals } = removalsOf(request, devices);
  const wanted = request.wantsAll ? 'all devices' : request.count === 1 ? 'a device' : `${request.count} devices`;
  const steps = [...removals.map(({ check, removed }) => `${removed} ${removed === 1 ? 'is' : 'are'} ${check}`), `${left} left`];
  return `request ${request.name} of ResourceClaim ${key} wants ${wanted} of DeviceClass ${request.deviceClassName}: of ${devices.length}, ${steps.join(', ')}`;
};

/** Explains why pods with claims find no place. Worked out only for pods that find none. */
export class DeviceExplainer {
  readonly #offers: DeviceOffers;

  constructor(offers: DeviceOffers) {
    this.#offers = offers;
  }

  reasons({ claims }: PodDevices, types: readonly InstanceType[]): DeviceReasons {
    const bringing = new Set(types.filter((type) => this.#brings(claims, type)));
    return { isBroughtBy: (type) => bringing.has(type), detail: bringing.size > 0 ? '' : this.#detail(claims, types) };
  }

  #brings(claims: readonly ClaimUse[], type: InstanceType): boolean {
    const offer = { ...this.#offers.ofType(type), usage: new DeviceUsage(), whereabouts: anywhere };
    return allocateDevices(claims, offer, { steps: MOST_STEPS }).kind === 'allocated';
  }

  /** The first request that no type meets alone; else that they cannot be met together. */
  #detail(claims: readonly ClaimUse[], types: readonly InstanceType[]): string {
    for (const use of claims) {
      const { requests, constraints } = use.wanted;
      const unmet = requests.find(
        (each) => !types.some((type) => this.#brings([{ ...use, wanted: { requests: [each], constraints: [] } }], type)),
      );
      const [first] = unmet ?? [];
      if (first !== undefined) return textOf(use, first, this.#devicesOf(types));
      const isMet = types.some((type) => this.#brings([use], type));
      if (!isMet)
        return `the requests of ResourceClaim ${use.key} cannot be met together${constraints.length > 0 ? ' under its constraints' : ''}`;
    }
    return 'its ResourceClaims cannot be met together';
  }

  #devicesOf(types: readonly InstanceType[]): readonly PoolDevice[] {
    return [...new Set(types.flatMap((type) => this.#offers.ofType(type).pools.flatMap(({ devices }) => devices)))];
  }
}
