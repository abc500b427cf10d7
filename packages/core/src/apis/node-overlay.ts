import type { Condition, NodeSelectorRequirement, ObjectMeta, ResourceList } from '../kube/index.ts';

/** karpenter.sh/v1alpha1 NodeOverlay as plain JSON: what the planner is to believe of some machines, other than what their provider says. */
export interface NodeOverlay {
  readonly apiVersion: 'karpenter.sh/v1alpha1';
  readonly kind: 'NodeOverlay';
  readonly metadata: ObjectMeta;
  readonly spec: NodeOverlaySpec;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Which instance types are meant, and what of their price or capacity is said anew. */
export interface NodeOverlaySpec {
  /** Labels of the nodes that it is about: those of the machine, and those of the NodePool's template. */
  readonly requirements: readonly NodeSelectorRequirement[];
  /** Dollars an hour, in place of the provider's. Not together with `priceAdjustment`. */
  readonly price?: string;
  /** `+0.5`, `-0.5`, `+10%`, `-15%`: added to the provider's price, which stays at least 0. */
  readonly priceAdjustment?: string;
  /** Extended resources that the machines have beside, or other than, what the provider says. */
  readonly capacity?: ResourceList;
  /** 1–10000; the heavier overlay wins where two say something about the same. Absent is 0. */
  readonly weight?: number;
}

/** Condition types of a NodeOverlay. `Ready` is true when the first is. */
export const nodeOverlayConditions = { validationSucceeded: 'ValidationSucceeded', ready: 'Ready' } as const;

/** Resources that the provider alone speaks of. */
export const STANDARD_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);
