import { capacityTypes, labels, type NodeClaim } from '@karpenter/core';
import { type Logger, requeueAfter, type SingletonController } from '@karpenter/runtime';
import { azureLabels } from '../apis/index.ts';
import { machineNameOf } from '../machines/index.ts';
import type { AzureKube } from '../provider/azure-kube.ts';
import { groupNameOf, type ReservationBook } from '../reservations/index.ts';

export interface ReservationDemotionDeps {
  readonly kube: Pick<AzureKube, 'list' | 'patch'>;
  readonly reservations: Pick<ReservationBook, 'find' | 'knows' | 'machineId'>;
  readonly options: { readonly capacityReservationGroups: readonly string[] };
  readonly logger: Logger;
}

const EVERY_MS = 60_000;

const reservationOf = ({ metadata }: NodeClaim): string | undefined => metadata.labels?.[azureLabels.capacityReservationId];

const isReserved = (claim: NodeClaim): boolean =>
  claim.metadata.labels?.[labels.capacityType] === capacityTypes.reserved && reservationOf(claim) !== undefined;

const byAge = (a: NodeClaim, b: NodeClaim): number => {
  const [first, second] = [a, b].map(({ metadata: { creationTimestamp = '', name } }) => `${creationTimestamp} ${name}`);
  return (first ?? '') < (second ?? '') ? -1 : 1;
};

/** A group that is named and could not be read yet: nothing is known of what it keeps. */
const isUnread = ({ options, reservations }: ReservationDemotionDeps, { metadata }: NodeClaim): boolean => {
  const group = metadata.labels?.[azureLabels.capacityReservationGroup]?.toLowerCase() ?? '';
  const isNamed = options.capacityReservationGroups.some((id) => groupNameOf(id).toLowerCase() === group);
  return isNamed && !reservations.knows(group);
};

/**
 * The claims of a reservation that it does not pay for: the youngest beyond what it keeps, less what machines of others
 * take of it.
 */
const uncovered = (
  { reservations }: Pick<ReservationDemotionDeps, 'reservations'>,
  claims: readonly NodeClaim[],
  id: string,
): readonly NodeClaim[] => {
  const { capacity = 0, machineIds = new Set<string>() } = reservations.find(id) ?? {};
  const own = new Set(claims.map(({ metadata }) => reservations.machineId(machineNameOf(metadata.name))));
  const ofOthers = [...machineIds].filter((machine) => !own.has(machine)).length;
  return claims.toSorted(byAge).slice(Math.max(0, capacity - ofOthers));
};

const bought = {
  [labels.capacityType]: capacityTypes.onDemand,
  [azureLabels.capacityReservationId]: null,
  [azureLabels.capacityReservationGroup]: null,
};

/** The node first: the claim is what is searched for again after a crash. */
const demote = async ({ kube, logger }: ReservationDemotionDeps, claim: NodeClaim, signal: AbortSignal): Promise<void> => {
  const { name } = claim.metadata;
  const change = { type: 'merge', body: { metadata: { labels: bought } }, signal } as const;
  logger.info('a machine is no longer paid for by its capacity reservation', { claim: name, reservation: reservationOf(claim) });
  if (claim.status?.nodeName !== undefined) await kube.patch('Node', { name: claim.status.nodeName }, change);
  await kube.patch('NodeClaim', { name }, change);
};

/**
 * Calls machines on demand whose reservation was made smaller or is gone: they run on, and cost what others cost.
 * Consolidation then weighs them like any other, and a pool that takes reserved capacity only replaces them.
 */
export const reservationDemotion = (deps: ReservationDemotionDeps): SingletonController => ({
  name: 'capacityreservation.demotion',
  async reconcile({ signal }) {
    const { items } = await deps.kube.list<NodeClaim>('NodeClaim', { signal, labelSelector: azureLabels.capacityReservationId });
    const claims = items.filter((claim) => isReserved(claim) && !isUnread(deps, claim));
    for (const [id = '', ofOne = []] of Map.groupBy(claims, reservationOf))
      for (const claim of uncovered(deps, ofOne, id)) await demote(deps, claim, signal);
    return requeueAfter(EVERY_MS);
  },
});
