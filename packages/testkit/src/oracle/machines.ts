import type { ClusterSnapshot, InstanceType, NodePool, Offering, Pod } from '@karpenter/core';
import { amountsOf, overfilled, plus, reservedBy } from '../validator/amounts.ts';
import { daemonsOn } from '../validator/daemons.ts';
import { poolLabels } from '../validator/launchable-node.ts';
import { meetsExpression, meetsNodeLabels, onlyValue } from '../validator/node-labels.ts';
import type { Labels } from '../validator/node-labels.ts';
import { bearsTaints } from '../validator/taints.ts';

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

/** Whether the machine may run these pods beside the daemons: resources, labels and taints. */
export const carries = ({ pool, type, labels }: Machine, pods: readonly Pod[], { daemonSets }: ClusterSnapshot): boolean => {
  const { taints = [] } = pool.spec.template.spec;
  const left: Record<string, number> = {};
  for (const [name, amount] of Object.entries(type.capacity)) left[name] = amount - (type.overhead[name] ?? 0);
  const needed = pods.map(({ spec }) => reservedBy(spec)).reduce(plus, daemonsOn(daemonSets, labels, taints));
  return (
    pods.every(({ spec }) => meetsNodeLabels(spec, labels) && bearsTaints(taints, spec.tolerations)) &&
    overfilled(needed, amountsOf(left)) === undefined
  );
};
