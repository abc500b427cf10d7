import { compareText } from '../../base/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import type { PodClass } from '../classes/pod-class.ts';
import { labelHints } from './label-hints.ts';
import type { NodeTemplate } from '../places/node-template.ts';
import type { PoolBudget } from '../places/limits/limit-ledger.ts';
import { poolRejection } from './pool-rejection.ts';
import type { PoolRejection, Rejection, RejectionReason } from './rejection.ts';
import { resourceHints } from './resource-hints.ts';
import type { Leftover } from '../solve/solve.ts';
import type { DomainTable } from '../topology/domain-table.ts';

/** What reasons are told by. */
export interface Grounds {
  readonly budgets: ReadonlyMap<NodeTemplate, PoolBudget>;
  /** Pools that nothing was asked of. */
  readonly closed: readonly PoolRejection[];
  /** Absent where no pod speaks of others. */
  readonly domains: DomainTable | undefined;
}

/** Pools that launch nothing for now, and say why. */
export const closedPools = ({ nodePools }: Pick<ClusterSnapshot, 'nodePools'>): readonly PoolRejection[] =>
  nodePools
    .flatMap(({ nodePool, launchBlock: by }) =>
      by === undefined ? [] : [{ nodePoolName: nodePool.metadata.name, reason: { kind: 'closed', by } as const }],
    )
    .sort((a, b) => compareText(a.nodePoolName, b.nodePoolName));

const reasonFor = (podClass: PodClass, { budgets, closed, domains }: Grounds): RejectionReason => {
  const { problem } = podClass;
  if (problem !== undefined) return { kind: 'invalid-pod', ...problem };
  if (budgets.size + closed.length === 0) return { kind: 'no-node-pools' };
  const templates = [...budgets.keys()];
  const tried = [...budgets].flatMap(([template, budget]) => {
    if (template.reservation !== undefined) return [];
    const reserved = templates.filter(({ pool, reservation }) => pool === template.pool && reservation !== undefined);
    return [{ nodePoolName: template.name, reason: poolRejection(podClass, { template, reserved, budget, domains }) }];
  });
  const alternatives = podClass.shape.ladder.at(-1)?.map(({ requirements }) => requirements) ?? [];
  const hints = budgets.size === 0 ? [] : [...resourceHints(podClass, templates), ...labelHints(alternatives, templates)];
  return { kind: 'no-place', pools: [...tried, ...closed], hints };
};

/** Why pods were left over. The reason is worked out once per class, and its pods share it. */
export const rejector =
  (grounds: Grounds): ((leftover: Leftover) => readonly Rejection[]) =>
  ({ demand: { podClass, pods }, count, wasStopped }) => {
    const isStopped = wasStopped && podClass.problem === undefined;
    const reason: RejectionReason = isStopped ? { kind: 'stopped' } : reasonFor(podClass, grounds);
    return pods.slice(pods.length - count).map((pod) => ({ pod, reason }));
  };
