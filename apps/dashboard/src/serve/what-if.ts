import {
  answeringDiff,
  answeringPlan,
  appliedObject,
  CommandError,
  type DiffAnswer,
  type PlanAnswer,
  readManifests,
} from '@karpenter/cli/answers';
import type { ClusterSnapshot, InstanceType, NodePool, SchedulingPolicy } from '@karpenter/core';
import { finish, type NodePoolView, readingSound } from '@karpenter/core/internal';
import { type Clock, inSlices, type KubeObject, isJsonObject } from '@karpenter/runtime';
import { furtherPods } from './workloads.ts';

/** What a person asks: more pods of a workload (`Deployment shop/web`), or another NodePool, as YAML. */
export type WhatIfQuestion =
  | { readonly kind: 'replicas'; readonly workload: string; readonly more: number }
  | { readonly kind: 'nodepool'; readonly manifest: string };

export type WhatIfAnswer =
  | { readonly kind: 'plan'; readonly answer: PlanAnswer }
  | { readonly kind: 'diff'; readonly answer: DiffAnswer }
  /** One line that says what is wrong with the question. */
  | { readonly kind: 'refused'; readonly why: string };

/** What the answer is worked out from. */
export interface WhatIfSource {
  readonly policy: SchedulingPolicy;
  readonly clock: Clock;
  readonly snapshot: () => ClusterSnapshot;
  /** What the provider offers a pool. */
  readonly instanceTypes: (nodePool: NodePool, signal: AbortSignal) => Promise<readonly InstanceType[]>;
}

const MOST_REPLICAS = 5000;
/** As the controller decides: leases and watches wait no longer. */
const SLICE_MS = 10;

const refused = (why: string): WhatIfAnswer => ({ kind: 'refused', why });

/** The question in a request's body; undefined for anything else. */
export const questionIn = (body: unknown): WhatIfQuestion | undefined => {
  if (!isJsonObject(body)) return undefined;
  const { kind, workload, more, manifest } = body;
  if (kind === 'nodepool' && typeof manifest === 'string') return { kind, manifest };
  const isCount = typeof more === 'number' && Number.isInteger(more) && more > 0 && more <= MOST_REPLICAS;
  return kind === 'replicas' && typeof workload === 'string' && isCount ? { kind, workload, more } : undefined;
};

const nodePoolIn = async (manifest: string): Promise<NodePool & KubeObject> => {
  const objects = await readManifests(['the manifest'], () => Promise.resolve(manifest));
  const [pool, ...others] = objects;
  if (pool?.kind !== 'NodePool' || others.length > 0) throw new CommandError(1, 'the manifest is to be one NodePool');
  return pool as NodePool & KubeObject;
};

const empty = { nodes: [], pendingPods: [], daemonSets: [], podDisruptionBudgets: [], namespaceLabels: new Map() };

/** What the controller would refuse about the pool. */
const problemOf = (nodePool: NodePool, { labelCatalog }: SchedulingPolicy): string | undefined => {
  const alone = { ...empty, nodePools: [{ nodePool, instanceTypes: [], usage: {} }] };
  const [first] = finish(readingSound(alone, labelCatalog)).leftOut;
  return first && `${first.problem.field} "${first.problem.value}" ${first.problem.problem}`;
};

const withPool = (snapshot: ClusterSnapshot, nodePool: NodePool, instanceTypes: readonly InstanceType[]): ClusterSnapshot => {
  const { name } = nodePool.metadata;
  const known = snapshot.nodePools.find((view) => view.nodePool.metadata.name === name);
  const view: NodePoolView = { nodePool, instanceTypes, usage: known?.usage ?? {} };
  return { ...snapshot, nodePools: [...snapshot.nodePools.filter((each) => each !== known), view] };
};

const answerNodePool = async (manifest: string, source: WhatIfSource, signal: AbortSignal): Promise<WhatIfAnswer> => {
  const given = await nodePoolIn(manifest);
  const problem = problemOf(given, source.policy);
  if (problem !== undefined) return refused(problem);
  const before = source.snapshot();
  const { name } = given.metadata;
  const known = before.nodePools.find(({ nodePool }) => nodePool.metadata.name === name)?.nodePool;
  const nodePool = appliedObject(given, known) as NodePool & KubeObject;
  const after = withPool(before, nodePool, await source.instanceTypes(nodePool, signal));
  const question = { before, after, policy: source.policy, nowMs: source.clock.now() };
  return { kind: 'diff', answer: await inSlices(answeringDiff(question), { clock: source.clock, sliceMs: SLICE_MS, signal }) };
};

const answerReplicas = async (
  { workload, more }: Extract<WhatIfQuestion, { readonly kind: 'replicas' }>,
  source: WhatIfSource,
  signal: AbortSignal,
): Promise<WhatIfAnswer> => {
  const snapshot = source.snapshot();
  const pods = furtherPods(snapshot, workload, more);
  if (pods === undefined) return refused(`${workload} has no pod to go by`);
  const steps = answeringPlan({ snapshot, pods, policy: source.policy });
  return { kind: 'plan', answer: await inSlices(steps, { clock: source.clock, sliceMs: SLICE_MS, signal }) };
};

/** Answers by the code of `karpenter plan` and `karpenter diff`, in slices. Nothing is written. */
export const answerWhatIf = async (question: WhatIfQuestion, source: WhatIfSource, signal: AbortSignal): Promise<WhatIfAnswer> => {
  try {
    return question.kind === 'replicas'
      ? await answerReplicas(question, source, signal)
      : await answerNodePool(question.manifest, source, signal);
  } catch (error) {
    if (error instanceof CommandError) return refused(error.message);
    throw error;
  }
};
