import type { ClusterSnapshot, Pod } from '@karpenter/core';
import { carries, launchableMachinesOf } from './machines.ts';
import type { LaunchableMachine } from './machines.ts';
import { unmadeClaimsOf } from '../validator/shared-volumes.ts';
import { contestedClaim } from '../validator/volumes.ts';

const ZONE = 'topology.kubernetes.io/zone';

/** Claim → the zone in which its volume will be made. */
type Sites = ReadonlyMap<string, string>;

/** Every way to choose a zone for each claim without a volume that several of the pods use. */
const sitesFor = ({ pendingPods, storage }: ClusterSnapshot, zones: readonly string[]): readonly Sites[] => {
  const users = pendingPods.flatMap((pod) => unmadeClaimsOf(pod, storage));
  const shared = [...new Set(users)].filter((claim) => users.filter((each) => each === claim).length > 1);
  const none: readonly Sites[] = [new Map()];
  return shared.reduce((all, claim) => all.flatMap((sites) => zones.map((zone) => new Map([...sites, [claim, zone]]))), none);
};

/**
 * The least that machines for all pending pods can cost, in dollars an hour; Infinity when some pod fits on none. Tries
 * every way to share the pods out, every machine for every share, and every zone for volumes to be shared. So it is for
 * a handful of pods at most. Existing nodes and limits are not checked.
 */
export const cheapestByBruteForce = (snapshot: ClusterSnapshot): number => {
  const machines = launchableMachinesOf(snapshot);
  const { pendingPods: pods, storage } = snapshot;
  if (contestedClaim(pods, [], storage) !== undefined) return Number.POSITIVE_INFINITY;
  const zones = [...new Set(machines.flatMap(({ labels }) => labels[ZONE] ?? []))];
  const isAt = ({ labels }: LaunchableMachine, members: readonly Pod[], sites: Sites): boolean =>
    members.flatMap((pod) => unmadeClaimsOf(pod, storage)).every((claim) => (sites.get(claim) ?? labels[ZONE]) === labels[ZONE]);
  const all = 2 ** pods.length - 1;
  const shares = Array.from({ length: all + 1 }, (_, share) => {
    const members = pods.filter((__, index) => (share >> index) % 2 === 1);
    return { members, able: machines.filter((machine) => carries(machine, members, snapshot)) };
  });
  const cheapestAt = (sites: Sites): number => {
    const prices = shares.map(({ members, able }, share) =>
      share === 0 ? 0 : Math.min(...able.filter((machine) => isAt(machine, members, sites)).map(({ offering }) => offering.pricePerHour)),
    );
    const cheapest = [0];
    for (let set = 1; set <= all; set++) {
      let least = Number.POSITIVE_INFINITY;
      for (let share = set; share > 0; share = (share - 1) & set) {
        least = Math.min(least, (prices[share] ?? 0) + (cheapest[set - share] ?? 0));
      }
      cheapest.push(least);
    }
    return cheapest[all] ?? 0;
  };
  return Math.min(...sitesFor(snapshot, zones).map(cheapestAt));
};
