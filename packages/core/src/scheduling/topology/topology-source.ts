import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { PodShape } from '../classes/pod-shape.ts';
import type { NodeTemplate } from '../places/node-model.ts';
import type { SchedulingPolicy } from '../policy.ts';

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
}
