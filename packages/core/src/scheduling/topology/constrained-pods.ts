import { getOrMake, memoByKey } from '../../base/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import { namespaceOf } from '../../kube/index.ts';
import type { LabelSelector, Pod, PodAffinityTerm, PodSpec, TopologySpreadConstraint } from '../../kube/index.ts';
import type { PodShape } from '../pod-classes/pod-shape.ts';
import type { NodeTemplate } from '../nodes/node-model.ts';
import type { SchedulingPolicy } from '../policy.ts';
import { podPreferences } from '../pod-classes/pod-preferences.ts';
import { labels } from '../../apis/index.ts';
import { isReadable } from '../pod-classes/pod-shape.ts';
import { topologyWork } from '../work-budget/pod-work.ts';
import { PodCensus } from './pod-matcher.ts';

/** Whether a pod has its place in the plan, may get another by a question that takes its node away, or stays where it runs. */
export type Mobility = 'planned' | 'may-move' | 'stays';

/** What the topology of a snapshot is made from. */
export interface TopologySource {
  readonly snapshot: ClusterSnapshot;
  readonly policy: SchedulingPolicy;
  /** Nodes that stay, in the order in which they are numbered. */
  readonly nodes: readonly NodeView[];
  readonly templates: readonly NodeTemplate[];
  readonly shapeOf: (spec: Pod['spec']) => PodShape;
  /** The pod as kube-scheduler reads it. */
  readonly asScheduled: (pod: Pod) => Pod;
  /** Unbound claims that the pod shares with others: their volumes will be created where the first of these pods goes. */
  readonly unboundClaimsOf: (pod: Pod) => readonly string[];
  /** Pods of nodes that will be deleted. They are placed again, and count nowhere until then. */
  readonly moving: ReadonlySet<Pod>;
  /** Of a pod that runs. */
  readonly mobilityOf: (pod: Pod, node: NodeView) => Mobility;
}

const labelKeysOf = (selector: LabelSelector | undefined): readonly string[] => [
  ...Object.keys(selector?.matchLabels ?? {}),
  ...(selector?.matchExpressions ?? []).map(({ key }) => key),
];

/** Whether the spec has constraints relative to other pods. Runs for every pod of the cluster, so it only reads fields. */
export const hasPodConstraints = ({ affinity, topologySpreadConstraints }: PodSpec): boolean =>
  affinity?.podAffinity !== undefined || affinity?.podAntiAffinity !== undefined || (topologySpreadConstraints?.length ?? 0) > 0;

/** The affinity terms and spreads of a spec that count: all that are required, and the preferences kept. */
interface CountingTerms {
  readonly terms: readonly PodAffinityTerm[];
  readonly spreads: readonly TopologySpreadConstraint[];
}

const countingTerms = (spec: PodSpec): CountingTerms => {
  const { affinity, topologySpreadConstraints = [] } = spec;
  const { kept } = podPreferences(spec);
  const required = [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap(
    (side) => side?.requiredDuringSchedulingIgnoredDuringExecution ?? [],
  );
  const hard = topologySpreadConstraints.filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');
  return {
    terms: [...required, ...kept.flatMap((each) => (each.kind === 'pod-affinity' || each.kind === 'pod-anti-affinity' ? [each.term] : []))],
    spreads: [...hard, ...kept.flatMap((each) => (each.kind === 'spread' ? [each.constraint] : []))],
  };
};

/** How many pods terms may select besides this many for each pod: each question counts all of them. */
const SELECTED_PODS = 200_000;
const TERMS_A_POD = 20;

/** The most pods that the spec's terms select, each counted once for each term. Costs the values of the selectors. */
export const mostSelectedBy = (spec: PodSpec, namespace: string, census: PodCensus): number => {
  const { terms, spreads } = countingTerms(spec);
  return [...terms, ...spreads].reduce((sum, term) => sum + census.mostSelected(term, namespace), 0);
};

/**
 * Whether terms select so many pods of the namespace that planning would take seconds. A pod is usually selected by its
 * own few terms.
 */
export const isCrowded = (selected: number, pods: number): boolean => selected > SELECTED_PODS + pods * TERMS_A_POD;

/** The pod labels whose values a pod's terms take over from it: pods that differ by them have different terms. */
export const labelKeysTakenOver = (spec: PodSpec): readonly string[] => {
  const { terms, spreads } = countingTerms(spec);
  return [
    ...terms.flatMap(({ matchLabelKeys = [], mismatchLabelKeys = [] }) => [...matchLabelKeys, ...mismatchLabelKeys]),
    ...spreads.flatMap(({ matchLabelKeys = [] }) => matchLabelKeys),
  ];
};

/** The pod labels that the spec's selectors read: of all labels, only these make pods different. */
export const labelKeysReadBy = (spec: PodSpec): readonly string[] => {
  const { terms, spreads } = countingTerms(spec);
  return [...[...terms, ...spreads].flatMap(({ labelSelector }) => labelKeysOf(labelSelector)), ...labelKeysTakenOver(spec)];
};

/** The topology keys of the spec's affinity terms and spreads. */
export const topologyKeysReadBy = (spec: PodSpec): readonly string[] => {
  const { terms, spreads } = countingTerms(spec);
  return [...terms, ...spreads].map(({ topologyKey }) => topologyKey);
};

/** A pod with topology constraints, and the shape of its spec. */
export interface ConstrainedPod {
  /** As the snapshot has it. */
  readonly given: Pod;
  /** As kube-scheduler reads it. */
  readonly pod: Pod;
  readonly shape: PodShape;
  readonly mobility: Mobility;
}

/**
 * Units of topology that the running pods of one namespace may have. Beyond that, only anti-affinity is read of pods
 * that stay, and of pods that may move in a crowded namespace. Hundreds of workloads with spreads and anti-affinity.
 */
const RUNNING_WORK = 100_000;
const hasPreferredNodes = ({ affinity }: PodSpec): boolean =>
  affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution !== undefined;

/** The pods with topology constraints, and their distinct specs and topology keys. */
export class ConstrainedPods {
  readonly pods: ConstrainedPod[] = [];
  readonly specs = new Map<PodShape, PodSpec>();
  /** The topology keys of their constraints. */
  readonly keys = new Set<string>();
  /** Whether some pod has preferred node affinity: such pods are placed one by one too. */
  havePreferences = false;
  readonly #source: TopologySource;
  /** Namespace → the shapes of its running pods, and the units of these. */
  readonly #running = new Map<string, { readonly shapes: Set<PodShape>; units: number }>();
  #census: PodCensus | undefined;

  constructor(source: TopologySource) {
    this.#source = source;
  }

  add(given: Pod, mobility: Mobility): void {
    const pod = this.#source.asScheduled(given);
    this.havePreferences ||= hasPreferredNodes(pod.spec);
    const isSharing = this.#source.unboundClaimsOf(pod).length > 0;
    const shape = isSharing || hasPodConstraints(pod.spec) ? this.#source.shapeOf(pod.spec) : undefined;
    if (shape === undefined || !isReadable(shape)) return;
    this.pods.push({ given, pod, shape, mobility });
    if (mobility !== 'planned') this.#countRunning(pod, shape);
    if (isSharing) this.keys.add(labels.zone);
    if (this.specs.has(shape)) return;
    this.specs.set(shape, pod.spec);
    for (const key of topologyKeysReadBy(pod.spec)) this.keys.add(key);
  }

  /**
   * Whether only that is read of the pod which keeps other pods away: its namespace has too much to read. Such a pod
   * cannot be placed. Ask once all pods are added.
   */
  isOnlyCarrier({ pod, mobility }: Pick<ConstrainedPod, 'pod' | 'mobility'>): boolean {
    const namespace = namespaceOf(pod);
    if (mobility === 'planned' || (this.#running.get(namespace)?.units ?? 0) <= RUNNING_WORK) return false;
    return mobility === 'stays' || this.#selectsManyPods(namespace);
  }

  #countRunning(pod: Pod, shape: PodShape): void {
    const namespace = namespaceOf(pod);
    const running = getOrMake(this.#running, namespace, () => ({ shapes: new Set(), units: 0 }));
    if (running.shapes.has(shape)) return;
    running.shapes.add(shape);
    running.units += topologyWork(pod.spec);
  }

  #censusOfRunning(): PodCensus {
    const census = new PodCensus(new Set([...this.specs.values()].flatMap(labelKeysReadBy)));
    for (const { pods } of this.#source.snapshot.nodes) for (const pod of pods) census.add(pod);
    return census;
  }

  readonly #selectsManyPods = memoByKey((namespace: string): boolean => {
    const census = (this.#census ??= this.#censusOfRunning());
    let selected = 0;
    for (const shape of this.#running.get(namespace)?.shapes ?? []) {
      const spec = this.specs.get(shape);
      if (spec !== undefined) selected += mostSelectedBy(spec, namespace, census);
    }
    return isCrowded(selected, census.podsIn(namespace));
  });
}
