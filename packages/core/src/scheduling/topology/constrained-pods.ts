import { labels } from '../../apis/index.ts';
import type { Pod, PodSpec } from '../../kube/index.ts';
import { isReadable } from '../classes/pod-shape.ts';
import type { PodShape } from '../classes/pod-shape.ts';
import { hasPodConstraints, topologyKeysReadBy } from './spec-terms.ts';
import type { TopologySource } from './topology-source.ts';

/** A pod with topology constraints, and the shape of its spec. */
export interface ConstrainedPod {
  readonly pod: Pod;
  readonly shape: PodShape;
}

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

  constructor(source: TopologySource) {
    this.#source = source;
  }

  add(given: Pod): void {
    const pod = this.#source.asScheduled(given);
    this.havePreferences ||= hasPreferredNodes(pod.spec);
    const isSharing = this.#source.unboundClaimsOf(pod).length > 0;
    const shape = isSharing || hasPodConstraints(pod.spec) ? this.#source.shapeOf(pod.spec) : undefined;
    if (shape === undefined || !isReadable(shape)) return;
    this.pods.push({ pod, shape });
    if (isSharing) this.keys.add(labels.zone);
    if (this.specs.has(shape)) return;
    this.specs.set(shape, pod.spec);
    for (const key of topologyKeysReadBy(pod.spec)) this.keys.add(key);
  }
}
