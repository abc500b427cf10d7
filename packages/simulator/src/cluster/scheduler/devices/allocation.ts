import type { Device, DeviceNodeSelector, NodeSelectorRequirement, ResourceClaim } from '@karpenter/core/internal';
import type { DeviceChoice } from '../../../devices/device-search.ts';
import type { DeviceClaim } from '../../objects/device.ts';

/** How long a claim waits for the conditions of its devices. Source: Kubernetes, `DynamicResourcesBindingTimeoutDefault`. */
const BINDING_TIMEOUT_MS = 600_000;
const NANO_SUFFIX = 1_000_000_000n;

type Allocation = NonNullable<NonNullable<ResourceClaim['status']>['allocation']>;
type Result = NonNullable<NonNullable<Allocation['devices']>['results']>[number];

/** What kube-scheduler writes besides what the solver reads. */
interface WrittenAllocation extends Allocation {
  readonly allocationTimestamp?: string;
}

interface WrittenResult extends Result {
  readonly bindingConditions?: readonly string[];
  readonly bindingFailureConditions?: readonly string[];
}

/** What a driver reports of an allocated device. */
interface DeviceStatus {
  readonly driver: string;
  readonly pool: string;
  readonly device: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
}

/** An amount as a quantity. */
const quantityOf = (nanos: bigint): string => (nanos % NANO_SUFFIX === 0n ? String(nanos / NANO_SUFFIX) : `${nanos}n`);

const conditionsOf = ({ bindingConditions = [], bindingFailureConditions = [] }: Device & Partial<WrittenResult>): object =>
  bindingConditions.length === 0 ? {} : { bindingConditions, ...(bindingFailureConditions.length > 0 && { bindingFailureConditions }) };

const resultOf = ({ request, reachable, consumed, isAdmin }: DeviceChoice) => ({
  ...{ request, driver: reachable.driver, pool: reachable.poolId.slice(reachable.driver.length + 1), device: reachable.device.name },
  ...(isAdmin ? { adminAccess: true } : {}),
  ...conditionsOf(reachable.device),
  ...(consumed.size === 0 ? {} : { consumedCapacity: Object.fromEntries([...consumed].map(([name, nanos]) => [name, quantityOf(nanos)])) }),
});

const distinct = (requirements: readonly NodeSelectorRequirement[]): readonly NodeSelectorRequirement[] => [
  ...new Map(requirements.map((each) => [JSON.stringify(each), each])).values(),
];

/** The nodes where the devices can be used: all of them are reached there. Undefined: everywhere. */
const nodesOf = (chosen: readonly DeviceChoice[], nodeName: string): DeviceNodeSelector | undefined => {
  const places = chosen.map(({ reachable: { place = {}, device } }) => ({ place, isLocal: device.bindsToNode === true }));
  if (places.some(({ place, isLocal }) => isLocal || (place.nodeName ?? '') !== ''))
    return { nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [nodeName] }] }] };
  const terms = places.flatMap(({ place }) => place.nodeSelector?.nodeSelectorTerms.slice(0, 1) ?? []);
  const matchFields = distinct(terms.flatMap((term) => term.matchFields ?? []));
  const matchExpressions = distinct(terms.flatMap((term) => term.matchExpressions ?? []));
  if (matchFields.length + matchExpressions.length === 0) return undefined;
  return {
    nodeSelectorTerms: [{ ...(matchFields.length > 0 && { matchFields }), ...(matchExpressions.length > 0 && { matchExpressions }) }],
  };
};

/** The allocation that kube-scheduler writes. A device of one node's own, or one that binds to it, is for that node alone. */
export const allocationOf = (chosen: readonly DeviceChoice[], nodeName: string, allocationTimestamp: string): WrittenAllocation => {
  const nodeSelector = nodesOf(chosen, nodeName);
  return {
    devices: { results: chosen.map(resultOf) },
    ...(nodeSelector && { nodeSelector }),
    allocationTimestamp,
  };
};

type Binding = 'ready' | 'waiting' | 'failed';

/** What became of the conditions of one device. */
const bindingOfResult = (result: WrittenResult, reported: readonly DeviceStatus[]): Binding => {
  const { driver, pool, device, bindingConditions = [], bindingFailureConditions = [] } = result;
  if (bindingConditions.length === 0) return 'ready';
  const { conditions = [] } = reported.find((each) => each.driver === driver && each.pool === pool && each.device === device) ?? {};
  const isTrue = (type: string): boolean => conditions.some((each) => each.type === type && each.status === 'True');
  if (bindingFailureConditions.some(isTrue)) return 'failed';
  return bindingConditions.every(isTrue) ? 'ready' : 'waiting';
};

/**
 * Whether pods with the claim can be bound: not while a device waits for conditions, and never once one has failed or
 * took too long.
 */
export const bindingOf = ({ status = {} }: DeviceClaim, nowMs: number): Binding => {
  const { allocation } = status;
  if (allocation === undefined) return 'ready';
  const { devices: reported = [] } = status as { readonly devices?: readonly DeviceStatus[] };
  const { allocationTimestamp = '', devices }: WrittenAllocation = allocation;
  const states = new Set(devices?.results?.map((result) => bindingOfResult(result, reported)));
  if (states.has('failed')) return 'failed';
  if (!states.has('waiting')) return 'ready';
  return nowMs >= Date.parse(allocationTimestamp) + BINDING_TIMEOUT_MS ? 'failed' : 'waiting';
};
