import type { ClusterSnapshot, InstanceType, NodePool, Offering, Pod } from '@karpenter/core';
import { getOrMake } from '@karpenter/core/internal';
import type { PodSpec, StorageView } from '@karpenter/core/internal';
import { floatAmountsOf, overfullResource, plus, reservedAmounts } from '../validator/amounts.ts';
import type { FloatAmounts } from '../validator/amounts.ts';
import { daemonPodsOn, daemonsOn } from '../validator/daemons.ts';
import { contestedPort } from '../validator/host-ports.ts';
import { poolLabels } from '../validator/launchable-node.ts';
import { meetsExpression, meetsNodeLabels, onlyValue } from '../validator/node-labels.ts';
import type { PlainLabels } from '../validator/node-labels.ts';
import { bearsTaints } from '../validator/taints.ts';
import { overfullDriver, reachesVolumes } from '../validator/volumes.ts';

/** One machine that some pool may launch. */
export interface LaunchableMachine {
  readonly pool: NodePool;
  readonly type: InstanceType;
  readonly offering: Offering;
  readonly labels: PlainLabels;
}

const labelsOf = (pool: NodePool, type: InstanceType, offering: Offering): PlainLabels => {
  const labels: Record<string, string> = { ...poolLabels(pool) };
  for (const own of [...type.requirements.values(), ...offering.requirements.values()]) {
    const value = onlyValue(own);
    if (value !== undefined) labels[own.key] = value;
  }
  return labels;
};

const comparisons: ReadonlySet<string> = new Set(['Gt', 'Gte', 'Lt', 'Lte']);

/**
 * The labels with those that only a comparison of the pool speaks of: once for each value at a bound or next to one.
 * Some of the values are beyond the bounds.
 */
const withComparedLabels = (labels: PlainLabels, { spec }: NodePool): readonly PlainLabels[] => {
  const values = new Map<string, ReadonlySet<string>>();
  for (const { key, operator, values: [bound] = [] } of spec.template.spec.requirements) {
    if (labels[key] !== undefined || !comparisons.has(operator)) continue;
    const nearby = [-1, 0, 1].map((step) => String(Number(bound) + step));
    values.set(key, new Set([...(values.get(key) ?? []), ...nearby]));
  }
  return [...values].reduce<readonly PlainLabels[]>(
    (all, [key, some]) => all.flatMap((each) => [...some].map((value) => ({ ...each, [key]: value }))),
    [labels],
  );
};

/**
 * Every machine that the pools of the snapshot may launch: an available offering of a type whose labels meet the pool's
 * requirements.
 */
export const launchableMachinesOf = ({ nodePools }: ClusterSnapshot): readonly LaunchableMachine[] =>
  nodePools.flatMap(({ nodePool: pool, instanceTypes, mayLaunch }) =>
    (mayLaunch === false ? [] : instanceTypes).flatMap((type) =>
      type.offerings
        .filter(({ isAvailable }) => isAvailable)
        .flatMap((offering) => withComparedLabels(labelsOf(pool, type, offering), pool).map((labels) => ({ pool, type, offering, labels })))
        .filter(({ labels }) => pool.spec.template.spec.requirements.every((requirement) => meetsExpression(requirement, labels))),
    ),
  );

/** What a machine has for pods, and its daemon pods. */
interface Room {
  readonly amounts: FloatAmounts;
  readonly daemonPods: readonly PodSpec[];
  readonly taken: FloatAmounts;
}

/** What ports and volumes are held against. */
type HoldingRoom = Pick<Room, 'daemonPods'> & { readonly storage: StorageView | undefined };

const rooms = new WeakMap<LaunchableMachine, Room>();

/** Read once for each machine, which belongs to one snapshot: all arrangements of pods on it are tried. */
const roomOf = (machine: LaunchableMachine, snapshot: ClusterSnapshot): Room =>
  getOrMake(rooms, machine, () => readRoom(machine, snapshot));

const readRoom = (machine: LaunchableMachine, snapshot: ClusterSnapshot): Room => {
  const { pool, type, labels } = machine;
  const { taints = [] } = pool.spec.template.spec;
  const left = Object.entries(type.capacity).map(([name, amount]) => [name, amount - (type.overhead[name] ?? 0)]);
  return {
    amounts: floatAmountsOf(Object.fromEntries(left) as Readonly<Record<string, number>>),
    daemonPods: daemonPodsOn(snapshot, labels, taints),
    taken: daemonsOn(snapshot, labels, taints),
  };
};

/** Ports and volumes: with the daemon pods of the machine, within its limits, and from its zone. */
const holds = ({ type, labels }: LaunchableMachine, pods: readonly Pod[], { daemonPods, storage }: HoldingRoom): boolean =>
  contestedPort(
    pods.map(({ spec }) => spec),
    daemonPods,
  ) === undefined &&
  overfullDriver({ coming: pods, there: [], limits: type.volumeLimits ?? {} }, storage) === undefined &&
  pods.every((pod) => reachesVolumes(pod, labels, storage));

/** Whether the machine may run these pods beside the daemons: resources, labels, taints, host ports and volumes. */
export const carries = (machine: LaunchableMachine, pods: readonly Pod[], snapshot: ClusterSnapshot): boolean => {
  const { pool, labels } = machine;
  const { taints = [] } = pool.spec.template.spec;
  const { amounts, daemonPods, taken } = roomOf(machine, snapshot);
  return (
    pods.every(({ spec }) => meetsNodeLabels(spec, labels) && bearsTaints(taints, spec.tolerations)) &&
    overfullResource(pods.map((pod) => reservedAmounts(pod)).reduce(plus, taken), amounts) === undefined &&
    holds(machine, pods, { daemonPods, storage: snapshot.storage })
  );
};
