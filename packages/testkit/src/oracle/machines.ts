import type { ClusterSnapshot, InstanceType, NodePool, Offering, Pod } from '@karpenter/core';
import { amountsOf, overfilled, plus, reservedBy } from '../validator/amounts.ts';
import { daemonPodsOn, daemonsOn } from '../validator/daemons.ts';
import { contestedPort } from '../validator/host-ports.ts';
import { poolLabels } from '../validator/launchable-node.ts';
import { meetsExpression, meetsNodeLabels, onlyValue } from '../validator/node-labels.ts';
import type { Labels } from '../validator/node-labels.ts';
import { bearsTaints } from '../validator/taints.ts';
import { overattached, reachesVolumes } from '../validator/volumes.ts';

/** One machine that some pool may launch. */
export interface Machine {
  readonly pool: NodePool;
  readonly type: InstanceType;
  readonly offering: Offering;
  readonly labels: Labels;
}

const labelsOf = (pool: NodePool, type: InstanceType, offering: Offering): Labels => {
  const labels: Record<string, string> = { ...poolLabels(pool) };
  for (const own of [...type.requirements.values(), ...offering.requirements.values()]) {
    const value = onlyValue(own);
    if (value !== undefined) labels[own.key] = value;
  }
  return labels;
};

/** Every machine that the pools of the snapshot may launch: an available offering of a type whose labels meet the pool's requirements. */
export const machinesOf = ({ nodePools }: ClusterSnapshot): readonly Machine[] =>
  nodePools.flatMap(({ nodePool: pool, instanceTypes, mayLaunch }) =>
    (mayLaunch === false ? [] : instanceTypes).flatMap((type) =>
      type.offerings
        .filter(({ isAvailable }) => isAvailable)
        .map((offering) => ({ pool, type, offering, labels: labelsOf(pool, type, offering) }))
        .filter(({ labels }) => pool.spec.template.spec.requirements.every((requirement) => meetsExpression(requirement, labels))),
    ),
  );

/** Ports and volumes: with the daemon pods of the machine, within its limits, and from its zone. */
const holds = ({ pool, type, labels }: Machine, pods: readonly Pod[], snapshot: ClusterSnapshot): boolean => {
  const { storage } = snapshot;
  const daemonPods = daemonPodsOn(snapshot, labels, pool.spec.template.spec.taints ?? []);
  return (
    contestedPort(
      pods.map(({ spec }) => spec),
      daemonPods,
    ) === undefined &&
    overattached({ coming: pods, there: [], limits: type.volumeLimits ?? {} }, storage) === undefined &&
    pods.every((pod) => reachesVolumes(pod, labels, storage))
  );
};

/** Whether the machine may run these pods beside the daemons: resources, labels, taints, host ports and volumes. */
export const carries = (machine: Machine, pods: readonly Pod[], snapshot: ClusterSnapshot): boolean => {
  const { pool, type, labels } = machine;
  const { taints = [] } = pool.spec.template.spec;
  const left: Record<string, number> = {};
  for (const [name, amount] of Object.entries(type.capacity)) left[name] = amount - (type.overhead[name] ?? 0);
  const needed = pods.map((pod) => reservedBy(pod)).reduce(plus, daemonsOn(snapshot, labels, taints));
  return (
    pods.every(({ spec }) => meetsNodeLabels(spec, labels) && bearsTaints(taints, spec.tolerations)) &&
    overfilled(needed, amountsOf(left)) === undefined &&
    holds(machine, pods, snapshot)
  );
};
