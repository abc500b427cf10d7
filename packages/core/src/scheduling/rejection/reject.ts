import { labels } from '../../apis/index.ts';
import { compareText } from '../../base/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { admits } from '../../requirements/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import type { PodClass } from '../classes/pod-class.ts';
import type { DeviceExplainer } from '../devices/explain-devices.ts';
import { labelHints } from './label-hints.ts';
import type { LimitLedger } from '../places/limits/limit-ledger.ts';
import { poolRejection } from './pool-rejection.ts';
import type { PoolRejection, Rejection, RejectionReason } from './rejection.ts';
import { resourceHints } from './resource-hints.ts';
import type { UnplacedDemand } from '../solve/solve.ts';
import type { DomainTable } from '../topology/domain-table.ts';
import type { NodeTemplate } from '../places/node-model.ts';
import { isTooComplex } from '../work/too-complex.ts';

/** What the reasons for rejections are worked out from. */
export interface RejectionContext {
  readonly ledgers: ReadonlyMap<NodeTemplate, LimitLedger>;
  /** Pools that launch nothing, so that nothing was tried with them. */
  readonly closed: readonly PoolRejection[];
  /** Absent where no pod has topology constraints. */
  readonly domains: DomainTable | undefined;
  /** Absent where no pod claims devices. */
  readonly devices: DeviceExplainer | undefined;
}

type ClosedBy = Extract<PoolRejection['reason'], { readonly kind: 'closed' }>['by'];

const closedPool = (nodePoolName: string, by: ClosedBy): PoolRejection => ({ nodePoolName, reason: { kind: 'closed', by } });

/** The rejections by pools that launch nothing for now, in order of names; those of other providers and malformed ones too. */
export const closedPools = ({
  nodePools,
  foreignPools = [],
  leftOut = [],
}: Pick<ClusterSnapshot, 'nodePools' | 'foreignPools' | 'leftOut'>): readonly PoolRejection[] =>
  [
    ...nodePools.flatMap(({ nodePool, launchBlock: by }) => (by === undefined ? [] : closedPool(nodePool.metadata.name, by))),
    ...foreignPools.map((name) => closedPool(name, 'foreign')),
    ...leftOut.flatMap(({ kind, name }) => (kind === 'NodePool' ? closedPool(name, 'malformed') : [])),
  ].sort((a, b) => compareText(a.nodePoolName, b.nodePoolName));

type Alternatives = readonly Requirements[];

const poolRequirements = (alternatives: Alternatives): readonly (Requirement | undefined)[] =>
  alternatives.map((requirements) => requirements.get(labels.nodePool));

/** Whether the pod accepts no node of any NodePool: `karpenter.sh/nodepool DoesNotExist`, in each of its alternatives. */
const hasOptedOut = (alternatives: Alternatives): boolean =>
  alternatives.length > 0 &&
  poolRequirements(alternatives).every(
    (asked) => asked?.mayBeAbsent === true && asked.values.kind === 'in' && asked.values.values.size === 0,
  );

/** Whether the pod names the pools whose nodes it accepts. */
const isPinned = (alternatives: Alternatives): boolean =>
  alternatives.length > 0 && poolRequirements(alternatives).every((asked) => asked?.values.kind === 'in');

const mayBeOf = (alternatives: Alternatives, nodePoolName: string): boolean =>
  poolRequirements(alternatives).some((asked) => asked === undefined || admits(asked, nodePoolName));

/** Whether one of the pod's alternatives names the pool. */
const isNamed = (alternatives: Alternatives, nodePoolName: string): boolean =>
  poolRequirements(alternatives).some((asked) => asked?.values.kind === 'in' && admits(asked, nodePoolName));

const byNature: ReadonlySet<ClosedBy> = new Set(['static', 'deleting', 'foreign', 'malformed']);

/** A pool that launches nothing by its nature is a reason only for a pod that names it. */
const isRelevantTo =
  (alternatives: Alternatives) =>
  ({ nodePoolName, reason }: PoolRejection): boolean =>
    reason.kind !== 'closed' || !byNature.has(reason.by) || isNamed(alternatives, nodePoolName);

const reasonFor = (podClass: PodClass, { ledgers, closed, domains, devices }: RejectionContext): RejectionReason => {
  const { problem } = podClass;
  if (problem !== undefined) return isTooComplex(problem) ? problem : { kind: 'invalid-pod', ...problem };
  const alternatives = podClass.shape.ladder.at(-1)?.map(({ requirements }) => requirements) ?? [];
  if (hasOptedOut(alternatives)) return { kind: 'opted-out' };
  const relevant = closed.filter(isRelevantTo(alternatives));
  if (ledgers.size + relevant.length === 0) return { kind: 'no-node-pools' };
  const templates = [...ledgers.keys()];
  const tried = [...ledgers].flatMap(([template, ledger]) => {
    if (template.reservation !== undefined) return [];
    const reserved = templates.filter(({ pool, reservation }) => pool === template.pool && reservation !== undefined);
    return [{ nodePoolName: template.name, reason: poolRejection(podClass, { template, reserved, ledger, domains, devices }) }];
  });
  const pools = [...tried, ...relevant];
  const poolNames = new Set(pools.map(({ nodePoolName }) => nodePoolName));
  const hints = ledgers.size === 0 ? [] : [...resourceHints(podClass, templates), ...labelHints(alternatives, { templates, poolNames })];
  const asked = isPinned(alternatives) ? pools.filter(({ nodePoolName }) => mayBeOf(alternatives, nodePoolName)) : [];
  // Where the pod is pinned to pools that exist, they alone say why.
  return { kind: 'no-place', pools: asked.length === 0 ? pools : asked, hints };
};

/** Leftover → a rejection for each of its pods. The reason is worked out once and shared by them. */
export const rejector =
  (grounds: RejectionContext): ((leftover: UnplacedDemand) => readonly Rejection[]) =>
  ({ demand: { podClass, pods }, count, wasStopped }) => {
    const isStopped = wasStopped && podClass.problem === undefined;
    const reason: RejectionReason = isStopped ? { kind: 'stopped' } : reasonFor(podClass, grounds);
    return pods.slice(pods.length - count).map((pod) => ({ pod, reason }));
  };
