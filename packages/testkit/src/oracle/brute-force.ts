import type { ClusterSnapshot, InstanceType, NodePool, Offering, Pod } from '@karpenter/core';
import { amountsOf, overfilled, plus, reservedBy } from '../validator/amounts.ts';
import { daemonsOn } from '../validator/daemons.ts';
import { poolLabels } from '../validator/launchable-node.ts';
import { meetsExpression, meetsNodeLabels, onlyValue } from '../validator/node-labels.ts';
import type { Labels } from '../validator/node-labels.ts';
import { bearsTaints } from '../validator/taints.ts';

/** One machine that some pool may launch. */
interface Machine {
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

const machinesOf = ({ nodePools }: ClusterSnapshot): readonly Machine[] =>
  nodePools.flatMap(({ nodePool: pool, instanceTypes, mayLaunch }) =>
    (mayLaunch === false ? [] : instanceTypes).flatMap((type) =>
      type.offerings
        .filter(({ isAvailable }) => isAvailable)
        .map((offering) => ({ pool, type, offering, labels: labelsOf(pool, type, offering) }))
        .filter(({ labels }) => pool.spec.template.spec.requirements.every((requirement) => meetsExpression(requirement, labels))),
    ),
  );

const carries = ({ pool, type, labels }: Machine, pods: readonly Pod[], { daemonSets }: ClusterSnapshot): boolean => {
  const { taints = [] } = pool.spec.template.spec;
  const left: Record<string, number> = {};
  for (const [name, amount] of Object.entries(type.capacity)) left[name] = amount - (type.overhead[name] ?? 0);
  const needed = pods.map(({ spec }) => reservedBy(spec)).reduce(plus, daemonsOn(daemonSets, labels, taints));
  return (
    pods.every(({ spec }) => meetsNodeLabels(spec, labels) && bearsTaints(taints, spec.tolerations)) &&
    overfilled(needed, amountsOf(left)) === undefined
  );
};

/**
 * The least that machines for all pending pods can cost, in dollars an hour; Infinity when some pod fits on none. Tries every way to share
 * the pods out and every machine for every share, so it is for at most a handful of pods. Existing nodes and limits are not looked at.
 */
export const cheapestByBruteForce = (snapshot: ClusterSnapshot): number => {
  const machines = machinesOf(snapshot);
  const pods = snapshot.pendingPods;
  const priceOfShare = (share: number): number => {
    const members = pods.filter((_, index) => (share >> index) % 2 === 1);
    const able = machines.filter((machine) => carries(machine, members, snapshot));
    return Math.min(...able.map(({ offering }) => offering.pricePerHour));
  };
  const all = 2 ** pods.length - 1;
  const prices = Array.from({ length: all + 1 }, (_, share) => (share === 0 ? 0 : priceOfShare(share)));
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
