import { getOrMake, itemAt, memoByKey, memoByObject } from '../../base/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import type { Daemon, DaemonGroup } from '../../cluster/index.ts';
import { allocateDevices } from './claim-allocation.ts';
import type { DeviceOffer, WantedClaim } from './claim-allocation.ts';
import type { DeviceOffers } from './device-offers.ts';
import { templatePools } from './device-pools.ts';
import { DeviceUsage } from './device-usage.ts';
import type { Grant } from './device-usage.ts';
import type { PodDevicesReader } from './pod-devices.ts';
import { anywhere } from './whereabouts.ts';

/** The types of a template, by the daemon pods that will run there. */
export interface MachinesWithDaemons {
  readonly daemonGroups: readonly DaemonGroup[];
  readonly catalog: { readonly types: readonly InstanceType[] };
}

const MOST_STEPS = 2_000;
const NONE = new DeviceUsage();

/**
 * What the pod of a daemon has for itself. A claim that the DaemonSet names is one for all its pods: nothing is set
 * aside for it.
 */
const ownClaims = ({ name, spec }: Daemon, read: PodDevicesReader): readonly WantedClaim[] => {
  const [namespace = '', podName = ''] = name.split('/');
  const claims = read({ metadata: { namespace, name: podName }, spec })?.claims ?? [];
  return claims.filter(({ claim }) => claim === undefined);
};

/**
 * Devices for one daemon after another, all of them together. One whose claims cannot be met stays pending, and takes
 * nothing.
 */
const grantsFor = (daemons: readonly (readonly WantedClaim[])[], offer: DeviceOffer): readonly Grant[] => {
  let met: readonly WantedClaim[] = [];
  let grants: readonly Grant[] = [];
  for (const claims of daemons) {
    const allocation = allocateDevices([...met, ...claims], offer, { steps: MOST_STEPS });
    if (allocation.kind !== 'allocated') continue;
    met = [...met, ...claims];
    grants = allocation.grants;
  }
  return grants;
};

/** The devices that the pods of DaemonSets take of the nodes where they run. */
export class DaemonDevices {
  /** Daemon → the claims of each of its pods. Only daemons that have some. */
  readonly #claims: ReadonlyMap<string, readonly WantedClaim[]>;
  readonly #offers: DeviceOffers;
  readonly #groups = new WeakMap<readonly DaemonGroup[], ReadonlyMap<InstanceType, DaemonGroup>>();
  /** Group → type → what its daemons take there. */
  readonly #takenOn = memoByObject((group: DaemonGroup) =>
    memoByKey((type: InstanceType): DeviceUsage => {
      const usage = new DeviceUsage();
      for (const grant of this.#grantsOnMachine(group, type)) usage.take(grant);
      return usage;
    }),
  );

  constructor(daemons: readonly Daemon[], read: PodDevicesReader, offers: DeviceOffers) {
    const claims = daemons.map((daemon) => [daemon.name, ownClaims(daemon, read)] as const);
    this.#claims = new Map(claims.filter(([, own]) => own.length > 0));
    this.#offers = offers;
  }

  /**
   * What they take of the devices that a machine of the type brings. Devices that several nodes reach are not set aside
   * for them.
   */
  onMachine(machines: MachinesWithDaemons, type: InstanceType): DeviceUsage {
    if (this.#claims.size === 0) return NONE;
    const group = this.#groupsOf(machines).get(type);
    if (group === undefined) return NONE;
    return this.#takenOn(group)(type);
  }

  /** What those that are still to come take of the devices that an existing node reaches. */
  onNode(daemons: readonly string[], offer: DeviceOffer): readonly Grant[] {
    return grantsFor(this.#claimsOf(daemons), offer);
  }

  /** Whether the pods of the daemon claim devices of their own. */
  isClaiming(name: string): boolean {
    return this.#claims.has(name);
  }

  #grantsOnMachine({ daemons }: DaemonGroup, type: InstanceType): readonly Grant[] {
    const { groups } = this.#offers.ofType(type);
    const offer = { pools: templatePools(type), groups, usage: NONE, whereabouts: anywhere };
    return grantsFor(this.#claimsOf(daemons), offer);
  }

  #claimsOf(daemons: readonly string[]): readonly (readonly WantedClaim[])[] {
    return daemons.flatMap((name) => {
      const claims = this.#claims.get(name);
      return claims === undefined ? [] : [claims];
    });
  }

  #groupsOf({ daemonGroups, catalog }: MachinesWithDaemons): ReadonlyMap<InstanceType, DaemonGroup> {
    return getOrMake(
      this.#groups,
      daemonGroups,
      () => new Map(daemonGroups.flatMap((group) => group.types.map((number) => [itemAt(catalog.types, number), group] as const))),
    );
  }
}
