import { labels } from '../../apis/index.ts';
import { compareText } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { admits } from '../../requirements/index.ts';
import type { Requirement, Requirements } from '../../requirements/index.ts';
import type { PodClass } from '../pod-classes/pod-class.ts';
import type { DeviceExplainer } from '../devices/device-explainer.ts';
import { labelHints, resourceHints } from './hints.ts';
import type { LimitLedger } from '../nodes/limits/limit-ledger.ts';
import { explainingPool } from './pool-rejection.ts';
import type { PoolRejection, Rejection, RejectionReason } from './rejection.ts';
import type { UnplacedPods } from '../solve/solve.ts';
import type { DomainTable } from '../topology/domain-table.ts';
import type { NodeTemplate } from '../nodes/node-model.ts';
import { isTooComplex } from './rejection.ts';

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

/** A context, and what is known of the pod besides. */
interface Explained extends RejectionContext, Pick<UnplacedPods, 'shortage'> {}

function* explainingPools(podClass: PodClass, { ledgers, domains, devices, shortage }: Explained): Steps<readonly PoolRejection[]> {
  const templates = [...ledgers.keys()];
  const tried: PoolRejection[] = [];
  for (const [template, ledger] of ledgers) {
    if (template.reservation !== undefined) continue;
    const reserved = templates.filter(({ pool, reservation }) => pool === template.pool && reservation !== undefined);
    const reason = yield* explainingPool(podClass, { template, reserved, ledger, domains, devices, shortage });
    tried.push({ nodePoolName: template.name, reason });
  }
  return tried;
}

function* explaining(podClass: PodClass, context: Explained): Steps<RejectionReason> {
  const { ledgers, closed } = context;
  const { problem } = podClass;
  if (problem !== undefined) return isTooComplex(problem) ? problem : { kind: 'invalid-pod', ...problem };
  const alternatives = podClass.shape.relaxationOrder.at(-1)?.map(({ requirements }) => requirements) ?? [];
  if (hasOptedOut(alternatives)) return { kind: 'opted-out' };
  const relevant = closed.filter(isRelevantTo(alternatives));
  if (ledgers.size + relevant.length === 0) return { kind: 'no-node-pools' };
  const pools = [...(yield* explainingPools(podClass, context)), ...relevant];
  const poolNames = new Set(pools.map(({ nodePoolName }) => nodePoolName));
  const templates = [...ledgers.keys()];
  const hints = ledgers.size === 0 ? [] : [...resourceHints(podClass, templates), ...labelHints(alternatives, { templates, poolNames })];
  const asked = isPinned(alternatives) ? pools.filter(({ nodePoolName }) => mayBeOf(alternatives, nodePoolName)) : [];
  // Where the pod is pinned to pools that exist, they alone say why.
  return { kind: 'no-place', pools: asked.length === 0 ? pools : asked, hints };
}

/** Why a pod with devices cannot be explained further: its selectors took too long, in its search or in what explains it. */
const tooComplexSelectors = ({ devices }: PodClass): RejectionReason | undefined => devices?.work?.refusal;

/** A rejection for each unplaced pod of a pod set. The reason is worked out once and shared by them. */
export function* rejecting(unplacedPods: UnplacedPods, grounds: RejectionContext): Steps<readonly Rejection[]> {
  const { podSet, count, wasStopped, shortage } = unplacedPods;
  const { podClass, pods } = podSet;
  const isStopped = wasStopped && podClass.problem === undefined;
  const known = isStopped ? ({ kind: 'stopped' } as const) : tooComplexSelectors(podClass);
  const explained = known ?? (yield* explaining(podClass, { ...grounds, shortage }));
  const reason = tooComplexSelectors(podClass) ?? explained;
  return pods.slice(pods.length - count).map((pod) => ({ pod, reason }));
}
