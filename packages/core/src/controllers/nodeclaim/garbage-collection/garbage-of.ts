import type { NodeClaim } from '../../../apis/index.ts';
import { epochMsOf } from '../../../base/index.ts';
import type { Machine } from '../../../cloudprovider/index.ts';
import { isConditionTrue } from '../../../kube/index.ts';
import type { Node } from '../../../kube/index.ts';
import { isDeleting, isRegistered } from '../../../state/index.ts';

/** What the cloud and the cluster say about machines at one time. */
export interface Inventory {
  readonly machines: readonly Machine[];
  readonly claims: readonly NodeClaim[];
  readonly nodesWith: (providerId: string) => readonly Node[];
  readonly nowMs: number;
}

const isReady = (node: Node): boolean => isConditionTrue(node.status?.conditions, 'Ready');

/** Claims whose machine is gone: registered once, unknown to the cloud now, and no node that still answers. */
export const claimsWithoutMachine = ({ machines, claims, nodesWith }: Inventory): readonly NodeClaim[] => {
  const alive = new Set(machines.filter(({ isTerminating }) => isTerminating !== true).map(({ providerId }) => providerId));
  return claims.filter((claim) => {
    const id = claim.status?.providerID;
    return isRegistered(claim) && !isDeleting(claim) && id !== undefined && !alive.has(id) && !nodesWith(id).some(isReady);
  });
};

/** Younger machines may belong to a claim that is only being written down. */
const ORPHAN_GRACE_MS = 60_000;

/** Machines past the grace period that no claim names by id or by name. A machine of unknown age counts as past it. */
export const machinesWithoutClaim = ({ machines, claims, nowMs }: Inventory): readonly Machine[] => {
  const ids = new Set(claims.flatMap(({ status }) => status?.providerID ?? []));
  const names = new Set(claims.map(({ metadata }) => metadata.name));
  return machines.filter(
    ({ providerId, claimName, isTerminating, createdAt }) =>
      isTerminating !== true &&
      !ids.has(providerId) &&
      (claimName === undefined || !names.has(claimName)) &&
      nowMs >= (epochMsOf(createdAt) ?? Number.NEGATIVE_INFINITY) + ORPHAN_GRACE_MS,
  );
};
