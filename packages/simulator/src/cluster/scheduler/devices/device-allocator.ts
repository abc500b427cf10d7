import { kubeTime } from '@karpenter/runtime';
import { getOrMake } from '@karpenter/core/internal';
import type { DeviceClass } from '@karpenter/core/internal';
import type { Clock } from '@karpenter/runtime';
import type { LocalApi } from '@karpenter/api-server';
import { DeviceSearch } from '../../../devices/device-search.ts';
import type { DeviceChoice, DeviceTask, TakenDevices } from '../../../devices/device-search.ts';
import { classBehind, extendedResourceClaim } from '../../../devices/extended-resource-claim.ts';
import type { ExtendedResourceClaim } from '../../../devices/extended-resource-claim.ts';
import { publishedDevicesOn } from '../../../devices/published-devices.ts';
import type { ReachedDevices } from '../../../devices/published-devices.ts';
import { nanosOfQuantity } from '../../../devices/selects-device.ts';
import { ALLOCATED_FINALIZER, deviceClaims, deviceClasses, deviceSlices } from '../../objects/device.ts';
import type { DeviceClaim, DeviceSlice } from '../../objects/device.ts';
import { objectKeyText } from '../../objects/object-key.ts';
import type { PodObject } from '../../objects/pod.ts';
import { matchesAnyTerm } from '../../selectors/node-selector.ts';
import { ADMITTED, type BinderFilter, type FilterRefusals } from '../filters/node-filters.ts';
import type { NodeSlot } from '../node-slot.ts';
import type { BinderPodClass } from '../pods/pod-class.ts';
import { allocationOf, bindingOf } from './allocation.ts';

/** Devices that one search tries before it aborts. */
const MOST_STEPS = 20_000;
/** Pods that can use one claim. Source: Kubernetes, `ResourceClaimReservedForMaxSize`. */
const MOST_USERS = 256;

const NOT_MADE: FilterRefusals = ['waiting for resource claim to be created'];
const OUT_OF_REACH: FilterRefusals = ['resourceclaim not available on the node'];
const NO_DEVICES: FilterRefusals = ['cannot allocate all claims'];
const IN_USE: FilterRefusals = ['resourceclaim in use'];

/** On claims that kube-scheduler makes itself. */
const EXTENDED_CLAIM = 'resource.kubernetes.io/extended-resource-claim';

/** What claims have of devices. */
const takenBy = (claims: readonly DeviceClaim[]): TakenDevices => {
  const taken = new Map<string, Map<string, bigint>>();
  const results = claims.flatMap(({ status }) => status?.allocation?.devices?.results ?? []);
  for (const { driver, pool, device, consumedCapacity = {} } of results.filter(({ adminAccess }) => adminAccess !== true)) {
    const id = `${driver}/${pool}/${device}`;
    const amounts = taken.get(id) ?? new Map<string, bigint>();
    for (const [name, amount] of Object.entries(consumedCapacity)) amounts.set(name, (amounts.get(name) ?? 0n) + nanosOfQuantity(amount));
    taken.set(id, amounts);
  }
  return taken;
};

/**
 * Gives the claims of pods devices where the pods go, as the plugin DynamicResources of kube-scheduler does. It shares
 * no code with Karpenter's solver.
 */
export class DeviceAllocator implements Disposable {
  readonly #api: LocalApi;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #watches: readonly Disposable[];
  #slices: readonly DeviceSlice[] | undefined;
  #taken: TakenDevices | undefined;
  #classes: ReadonlyMap<string, DeviceClass> | undefined;
  #reached = new WeakMap<NodeSlot, ReachedDevices>();

  /** `changed` is called whenever claims may have another answer. */
  constructor(api: LocalApi, clock: Pick<Clock, 'now'>, changed: () => void) {
    this.#api = api;
    this.#clock = clock;
    this.#watches = [
      api.watch(deviceClaims, () => {
        this.#taken = undefined;
        changed();
      }),
      api.watch(deviceSlices, () => {
        this.#slices = undefined;
        this.#reached = new WeakMap();
        changed();
      }),
      api.watch(deviceClasses, () => {
        this.#classes = undefined;
        changed();
      }),
    ];
  }

  [Symbol.dispose](): void {
    for (const watch of this.#watches) watch[Symbol.dispose]();
  }

  /** Refuses nodes where the claims of a pod cannot have their devices. */
  readonly filter: BinderFilter = (pod, slot) => {
    if (!mayNeedDevices(pod)) return ADMITTED;
    const claims = this.#claimsOf(pod);
    if (claims === undefined) return NOT_MADE;
    if (claims.some((claim) => isFull(claim, pod))) return IN_USE;
    const now = this.#clock.now();
    if (!claims.every((claim) => isReached(claim, slot) && bindingOf(claim, now) !== 'failed')) return OUT_OF_REACH;
    return this.#search([...claims, ...extendedClaims(this.#extendedClaim(pod, slot), pod)], slot) === undefined ? NO_DEVICES : ADMITTED;
  };

  readonly isMetWithDevices = (resource: string, { allocatable }: NodeSlot): boolean =>
    (allocatable[resource] ?? 0) === 0 && resource.includes('/') && classBehind(resource, this.#knownClasses()) !== undefined;

  /**
   * Writes which devices the claims of the pod have on the node, and that they are the pod's. `waiting`: the pod is not
   * bound before the conditions of a device are met, and comes again. `failed`: the pod has no devices any more.
   */
  allocate(pod: PodObject, podClass: BinderPodClass, slot: NodeSlot): 'ready' | 'waiting' | 'failed' {
    const claims = [...(this.#claimsOf(podClass) ?? []), ...this.#extendedClaimsOf(pod, podClass, slot)];
    const chosen = this.#search(claims, slot) ?? [];
    for (const claim of claims) {
      const own = chosen.filter(({ task }) => task.key === objectKeyText(claim));
      this.#reserve(claim, claim.status?.allocation ?? allocationOf(own, slot.name, kubeTime(this.#clock.now())), pod);
    }
    const held = claims.flatMap(({ metadata: { namespace, name = '' } }) => this.#api.get(deviceClaims, { namespace, name }) ?? []);
    const states = held.map((claim) => bindingOf(claim, this.#clock.now()));
    if (!states.includes('failed')) return states.includes('waiting') ? 'waiting' : 'ready';
    for (const claim of held) this.#release(claim, pod);
    return 'failed';
  }

  /** Takes the devices of a claim back that no other pod uses. */
  #release(claim: DeviceClaim, { metadata: { uid } }: PodObject): void {
    const others = (claim.status?.reservedFor ?? []).filter((user) => user.uid !== uid);
    if (others.length === 0) this.#api.updateStatus({ ...claim, status: {} });
  }

  /** The claim for the extended resources of the pod, which an earlier attempt may have made. */
  #extendedClaimsOf(pod: PodObject, podClass: BinderPodClass, slot: NodeSlot): readonly DeviceClaim[] {
    const { extendedResourceClaimStatus: known } = (pod.status ?? {}) as { extendedResourceClaimStatus?: { resourceClaimName: string } };
    const { namespace } = pod.metadata;
    const made = known && this.#api.get(deviceClaims, { namespace, name: known.resourceClaimName });
    if (made !== undefined) return [made];
    const extended = this.#extendedClaim(podClass, slot);
    return extended === undefined ? [] : [this.#makeExtendedClaim(pod, extended)];
  }

  #extendedClaim({ spec }: BinderPodClass, slot: NodeSlot): ExtendedResourceClaim | undefined {
    const classes = this.#knownClasses();
    return extendedResourceClaim(spec, (resource) => (this.isMetWithDevices(resource, slot) ? classBehind(resource, classes) : undefined));
  }

  /** Creates the claim for the extended resources of a pod, and names it in the pod's status. */
  #makeExtendedClaim(pod: PodObject, { requests, mappings }: ExtendedResourceClaim): DeviceClaim {
    const { namespace, name = '' } = pod.metadata;
    const metadata = {
      ...{ namespace, generateName: `${name}-extended-resources-`, annotations: { [EXTENDED_CLAIM]: 'true' } },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name, uid: pod.metadata.uid ?? '', controller: true }],
    };
    const spec = { devices: { requests } };
    const claim = this.#api.create<DeviceClaim>({ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata, spec });
    const extendedResourceClaimStatus = { resourceClaimName: claim.metadata.name ?? '', requestMappings: mappings };
    this.#api.updateStatus({ ...pod, status: { ...pod.status, extendedResourceClaimStatus } });
    return claim;
  }

  #knownClasses(): ReadonlyMap<string, DeviceClass> {
    return (this.#classes ??= new Map(
      this.#api
        .list(deviceClasses)
        .map(
          ({ metadata: { name = '', creationTimestamp = '' }, spec }) => [name, { metadata: { name, creationTimestamp }, spec }] as const,
        ),
    ));
  }

  #reserve(claim: DeviceClaim, allocation: ReturnType<typeof allocationOf>, { metadata: { name = '', uid = '' } }: PodObject): void {
    const others = claim.status?.reservedFor ?? [];
    if (claim.status?.allocation !== undefined && others.some((user) => user.uid === uid)) return;
    const finalizers = [...new Set([...(claim.metadata.finalizers ?? []), ALLOCATED_FINALIZER])];
    const held = this.#api.update({ ...claim, metadata: { ...claim.metadata, finalizers } });
    this.#api.updateStatus({ ...held, status: { ...held.status, allocation, reservedFor: [...others, { resource: 'pods', name, uid }] } });
  }

  /** Every claim of the pod; undefined while one of them is not there. */
  #claimsOf({ namespace, deviceClaims: uses }: BinderPodClass): readonly DeviceClaim[] | undefined {
    const names = [...new Set(uses.map(({ claimName }) => claimName))];
    const claims = names.flatMap((name) => (name === undefined ? [] : (this.#api.get(deviceClaims, { namespace, name }) ?? [])));
    const isUsable = claims.every(({ metadata }) => metadata.deletionTimestamp === undefined);
    return isUsable && claims.length === names.length ? claims : undefined;
  }

  /** Devices for the claims that have none yet. */
  #search(claims: readonly DeviceClaim[], slot: NodeSlot): readonly DeviceChoice[] | undefined {
    const open = claims.filter(({ status }) => status?.allocation === undefined);
    if (open.length === 0) return [];
    const { devices, isWhole } = this.#reachedBy(slot);
    const tasks = open.map((claim): DeviceTask => ({ key: objectKeyText(claim), spec: claim.spec, devices, isWhole }));
    const taken = (this.#taken ??= takenBy(this.#api.list(deviceClaims)));
    const search = new DeviceSearch(this.#knownClasses(), taken, MOST_STEPS);
    return search.finds(tasks) === true ? search.chosen : undefined;
  }

  #reachedBy(slot: NodeSlot): ReachedDevices {
    const slices = (this.#slices ??= this.#api.list(deviceSlices));
    return getOrMake(this.#reached, slot, () =>
      publishedDevicesOn(
        slot,
        slices.map(({ metadata: { name = '' }, spec }) => ({ metadata: { name }, spec })),
      ),
    );
  }
}

/** The claim as it will be made, for a search. */
const extendedClaims = (claim: ExtendedResourceClaim | undefined, { namespace }: BinderPodClass): readonly DeviceClaim[] =>
  claim === undefined
    ? []
    : [
        {
          ...{ apiVersion: 'resource.k8s.io/v1', kind: 'ResourceClaim', metadata: { namespace, name: '<extended-resources>' } },
          spec: { devices: { requests: claim.requests } },
        },
      ];

/** Whether the pod has claims, or requests a resource that devices may meet. */
export const mayNeedDevices = ({ deviceClaims: claims, requests }: BinderPodClass): boolean =>
  claims.length > 0 || requests.some(([resource]) => resource.includes('/'));

/** Whether no other pod can use the claim. */
const isFull = ({ status: { reservedFor = [] } = {} }: DeviceClaim, pod: BinderPodClass): boolean =>
  reservedFor.length >= MOST_USERS && !reservedFor.some(({ uid }) => uid === pod.uid);

const isReached = ({ status }: DeviceClaim, slot: NodeSlot): boolean => {
  const selector = status?.allocation?.nodeSelector;
  return selector === undefined || matchesAnyTerm(selector.nodeSelectorTerms, slot);
};
