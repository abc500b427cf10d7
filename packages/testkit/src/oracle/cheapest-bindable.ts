import type { ClusterSnapshot, Pod } from '@karpenter/core';
import type { NodeView } from '@karpenter/core/internal';
import { floatAmountsOf, overfullResource, plus, reservedAmounts } from '../validator/amounts.ts';
import { contestedPort } from '../validator/host-ports.ts';
import { meetsNodeLabels } from '../validator/node-labels.ts';
import { bearsTaints } from '../validator/taints.ts';
import { contestedClaim, overfullDriver, reachesVolumes } from '../validator/volumes.ts';
import { mayBind } from './bound-cluster.ts';
import type { BoundCluster, BoundNode } from './bound-cluster.ts';
import { carries, launchableMachinesOf } from './machines.ts';
import type { LaunchableMachine } from './machines.ts';

/** A node, and which of the new pods it has room for beside those that are there. */
interface Seat {
  readonly node: BoundNode;
  readonly isNew: boolean;
  readonly holds: (pods: readonly Pod[]) => boolean;
}

const hostname = 'kubernetes.io/hostname';

const seatOf = (view: NodeView, storage: ClusterSnapshot['storage']): Seat => {
  const { name, labels, taints, pods, allocatable, isMarkedForDeletion, volumeLimits: limits = {} } = view;
  const specs = pods.map(({ spec }) => spec);
  const before = pods.map((pod) => reservedAmounts(pod)).reduce(plus, new Map<string, number>());
  return {
    node: { name, labels: { [hostname]: name, ...labels }, taints, pods, isOpen: !isMarkedForDeletion },
    isNew: false,
    holds: (more) =>
      !isMarkedForDeletion &&
      more.every(({ spec }) => meetsNodeLabels(spec, labels) && bearsTaints(taints, spec.tolerations)) &&
      more.every((pod) => reachesVolumes(pod, labels, storage)) &&
      overfullDriver({ coming: more, there: pods, limits }, storage) === undefined &&
      contestedPort(
        more.map(({ spec }) => spec),
        specs,
      ) === undefined &&
      overfullResource(more.map((pod) => reservedAmounts(pod)).reduce(plus, before), floatAmountsOf(allocatable)) === undefined,
  };
};

const nodeOf = ({ labels, pool }: LaunchableMachine, name: string): BoundNode => ({
  name,
  labels: { ...labels, [hostname]: name },
  taints: pool.spec.template.spec.taints ?? [],
  pods: [],
  isOpen: true,
});

const newSeat = (machine: LaunchableMachine, number: number, snapshot: ClusterSnapshot): Seat => ({
  node: nodeOf(machine, `new-${number}`),
  isNew: true,
  holds: (pods) => carries(machine, pods, snapshot),
});

/** Every choice of at most `most` of the machines, the same one several times included. */
const choices = (machines: readonly LaunchableMachine[], most: number): readonly (readonly LaunchableMachine[])[] => {
  const [first, ...rest] = machines;
  if (first === undefined || most === 0) return [[]];
  return [...choices(machines, most - 1).map((others) => [first, ...others]), ...choices(rest, most)];
};

/**
 * Whether the pods can be bound one after the other so that each has a seat and no new node stays empty. Checks each
 * arrangement once.
 */
const canSeat = (pods: readonly Pod[], seats: readonly Seat[], around: Omit<BoundCluster, 'nodes'>): boolean => {
  const seen = new Set<string>();
  const bindRest = (taken: readonly (number | undefined)[]): boolean => {
    const text = taken.join();
    if (seen.has(text)) return false;
    seen.add(text);
    const guests = seats.map((_, seat) => pods.filter((__, pod) => taken[pod] === seat));
    if (!taken.includes(undefined)) return seats.every(({ isNew }, seat) => !isNew || guests[seat]?.length !== 0);
    const nodes = seats.map(({ node }, seat) => ({ ...node, pods: [...node.pods, ...(guests[seat] ?? [])] }));
    return pods.some(
      (pod, index) =>
        taken[index] === undefined &&
        nodes.some(
          (node, seat) =>
            seats[seat]?.holds([...(guests[seat] ?? []), pod]) === true &&
            mayBind(pod, node, { nodes, ...around }) &&
            bindRest(taken.with(index, seat)),
        ),
    );
  };
  return bindRest(pods.map(() => undefined));
};

const priceOf = (machines: readonly LaunchableMachine[]): number => machines.reduce((sum, { offering }) => sum + offering.pricePerHour, 0);

/**
 * The least that machines can cost beside which, and the nodes there are, kube-scheduler binds every pending pod in
 * some order, in dollars an hour; Infinity when there are none. All that a pod may require of nodes and of other pods
 * is checked, limits of pools are not. A domain in which a pool may launch counts for spreads though no node is
 * there, unless `domains` says otherwise. Tries every choice of machines, so it is for a handful of pods and of
 * machines.
 */
export const cheapestBindable = (snapshot: ClusterSnapshot, domains: 'launchable' | 'existing' = 'launchable'): number => {
  const { pendingPods: pods, nodes, namespaceLabels: namespaces, storage } = snapshot;
  const running = nodes.flatMap((node) => node.pods);
  if (contestedClaim(pods, running, storage) !== undefined) return Number.POSITIVE_INFINITY;
  const machines = launchableMachinesOf(snapshot);
  const able = machines.filter((machine) => pods.some((pod) => carries(machine, [pod], snapshot)));
  const launchable = domains === 'existing' ? [] : machines.map((machine) => nodeOf(machine, 'may-come'));
  const there = nodes.map((node) => seatOf(node, storage));
  const seatsWith = (chosen: readonly LaunchableMachine[]): readonly Seat[] => [
    ...there,
    ...chosen.map((machine, number) => newSeat(machine, number, snapshot)),
  ];
  const cheapest = choices(able, pods.length)
    .toSorted((a, b) => priceOf(a) - priceOf(b))
    .find((chosen) => canSeat(pods, seatsWith(chosen), { namespaces, launchable, storage }));
  return cheapest === undefined ? Number.POSITIVE_INFINITY : priceOf(cheapest);
};
