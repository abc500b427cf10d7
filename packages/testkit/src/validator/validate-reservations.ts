import type { ClusterSnapshot, NodeClaim, Plan, SchedulingPolicy } from '@karpenter/core';
import { launchableNodes } from './launchable-node.ts';
import type { Violation } from './violation.ts';

type Asked = NodeClaim['spec']['requirements'];

const named = (requirements: Asked, label: string | undefined): readonly string[] =>
  requirements.filter(({ key, operator }) => key === label && operator === 'In').flatMap(({ values = [] }) => values);

/** What the provider says of each reservation, the least where it says several things. */
const remainingIn = ({ nodePools }: ClusterSnapshot): Map<string, number> => {
  const remaining = new Map<string, number>();
  const offerings = nodePools.flatMap(({ instanceTypes }) => instanceTypes.flatMap((type) => type.offerings));
  for (const { reservation } of offerings) {
    if (reservation === undefined) continue;
    const { id } = reservation;
    remaining.set(id, Math.min(reservation.remaining, remaining.get(id) ?? reservation.remaining));
  }
  return remaining;
};

/**
 * No more nodes are planned into a reservation than it has room for, with claims on their way counted in. No node can
 * come out of one that its claim does not name.
 */
export const validateReservations = (
  snapshot: ClusterSnapshot,
  plan: Plan,
  { labelCatalog: { reservationId: label } }: SchedulingPolicy,
): readonly Violation[] => {
  const remaining = remainingIn(snapshot);
  const coming = snapshot.nodes.filter(({ providerId }) => providerId === undefined).flatMap(({ claim }) => claim ?? []);
  const asked = [...coming, ...plan.plannedNodes.map(({ claim }) => claim)].flatMap(({ spec }) => named(spec.requirements, label));
  for (const id of asked) remaining.set(id, (remaining.get(id) ?? 0) - 1);
  const planned = new Set(plan.plannedNodes.flatMap(({ claim }) => named(claim.spec.requirements, label)));
  const overdrawn = [...remaining].filter(([id, left]) => left < 0 && planned.has(id));
  const stray = plan.plannedNodes.filter((node) =>
    launchableNodes(node).some(
      ({ offering: { reservation } }) => reservation !== undefined && !named(node.claim.spec.requirements, label).includes(reservation.id),
    ),
  );
  return [
    ...overdrawn.map(([id, left]): Violation => ({ rule: 'reservations', subject: id, detail: `is promised to ${-left} nodes too many` })),
    ...stray.map(({ nodePoolName }): Violation => ({
      rule: 'reservations',
      subject: nodePoolName,
      detail: 'plans a node that may be launched into a reservation which its claim does not name',
    })),
  ];
};
