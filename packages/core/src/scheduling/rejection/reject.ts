import { compareText } from '../../base/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import type { PodClass } from '../classes/pod-class.ts';
import { labelHints } from './label-hints.ts';
import type { LimitLedger } from '../places/limits/limit-ledger.ts';
import { poolRejection } from './pool-rejection.ts';
import type { PoolRejection, Rejection, RejectionReason } from './rejection.ts';
import { resourceHints } from './resource-hints.ts';
import type { Leftover } from '../solve/solve.ts';
import type { DomainTable } from '../topology/domain-table.ts';
import type { NodeTemplate } from '../places/node-model.ts';

/** What the reasons for rejections are worked out from. */
export interface RejectionContext {
  readonly ledgers: ReadonlyMap<NodeTemplate, LimitLedger>;
  /** Pools that launch nothing, so that nothing was tried with them. */
  readonly closed: readonly PoolRejection[];
  /** Absent where no pod has topology constraints. */
  readonly domains: DomainTable | undefined;
}

/** The rejections by pools that launch nothing for now, in order of names. */
export const closedPools = ({ nodePools }: Pick<ClusterSnapshot, 'nodePools'>): readonly PoolRejection[] =>
  nodePools
    .flatMap(({ nodePool, launchBlock: by }) =>
      by === undefined ? [] : [{ nodePoolName: nodePool.metadata.name, reason: { kind: 'closed', by } as const }],
    )
    .sort((a, b) => compareText(a.nodePoolName, b.nodePoolName));

const reasonFor = (podClass: PodClass, { ledgers, closed, domains }: RejectionContext): RejectionReason => {
  const { problem } = podClass;
  if (problem !== undefined) return { kind: 'invalid-pod', ...problem };
  if (ledgers.size + closed.length === 0) return { kind: 'no-node-pools' };
  const templates = [...ledgers.keys()];
  const tried = [...ledgers].flatMap(([template, ledger]) => {
    if (template.reservation !== undefined) return [];
    const reserved = templates.filter(({ pool, reservation }) => pool === template.pool && reservation !== undefined);
    return [{ nodePoolName: template.name, reason: poolRejection(podClass, { template, reserved, ledger, domains }) }];
  });
  const alternatives = podClass.shape.ladder.at(-1)?.map(({ requirements }) => requirements) ?? [];
  const hints = ledgers.size === 0 ? [] : [...resourceHints(podClass, templates), ...labelHints(alternatives, templates)];
  return { kind: 'no-place', pools: [...tried, ...closed], hints };
};

/** Leftover → a rejection for each of its pods. The reason is worked out once and shared by them. */
export const rejector =
  (grounds: RejectionContext): ((leftover: Leftover) => readonly Rejection[]) =>
  ({ demand: { podClass, pods }, count, wasStopped }) => {
    const isStopped = wasStopped && podClass.problem === undefined;
    const reason: RejectionReason = isStopped ? { kind: 'stopped' } : reasonFor(podClass, grounds);
    return pods.slice(pods.length - count).map((pod) => ({ pod, reason }));
  };
