import { WeakMemory } from '../base/index.ts';
import { defaultSelectors } from '../cluster/index.ts';
import type { ClusterSnapshot, DefaultSelector } from '../cluster/index.ts';
import type { Pod, PodSpec, TopologySpreadConstraint } from '../kube/index.ts';
import type { SchedulingPolicy } from './policy.ts';

type Constraints = readonly TopologySpreadConstraint[];

/** Selector → the spec with the default spread over the pods that it picks. */
type Spread = Map<string, PodSpec>;

/** A spec seen with more selectors than this belongs to workloads that come and go: then it is forgotten. */
const MOST_SELECTORS = 256;

/** What is worked out about a spec is remembered by its identity, so the same one is given in every pass. */
const memories = new WeakMap<Constraints, WeakMemory<PodSpec, Spread>>();

const memoryOf = (constraints: Constraints): WeakMemory<PodSpec, Spread> => {
  const found = memories.get(constraints);
  if (found !== undefined) return found;
  const fresh = new WeakMemory<PodSpec, Spread>();
  memories.set(constraints, fresh);
  return fresh;
};

const specReader = (constraints: Constraints): ((spec: PodSpec, over: DefaultSelector) => PodSpec) => {
  const memory = memoryOf(constraints);
  return (spec, { text, selector }) => {
    const known = memory.get(spec) ?? new Map<string, PodSpec>();
    const found = known.get(text);
    if (found !== undefined) return found;
    const fresh = { ...spec, topologySpreadConstraints: constraints.map((each) => ({ ...each, labelSelector: selector })) };
    if (known.size === 0) memory.set(spec, known);
    if (known.size === MOST_SELECTORS) known.clear();
    known.set(text, fresh);
    return fresh;
  };
};

/**
 * Pod → the pod as kube-scheduler sees it: with the cluster's default spread if it has no spread of its own and belongs
 * to a Service or workload, else the pod itself. The given pod is never changed.
 */
export const defaultSpread = (
  { podSelectors = [] }: Pick<ClusterSnapshot, 'podSelectors'>,
  { defaultSpread: constraints = [] }: Pick<SchedulingPolicy, 'defaultSpread'>,
): ((pod: Pod) => Pod) => {
  if (constraints.length === 0 || podSelectors.length === 0) return (pod) => pod;
  const selectorOf = defaultSelectors(podSelectors);
  const specOf = specReader(constraints);
  return (pod) => {
    if ((pod.spec.topologySpreadConstraints?.length ?? 0) > 0) return pod;
    const over = selectorOf(pod);
    return over === undefined ? pod : { ...pod, spec: specOf(pod.spec, over) };
  };
};
