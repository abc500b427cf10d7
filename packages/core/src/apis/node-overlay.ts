import type { Condition, NodeSelectorRequirement, ObjectMeta, ResourceList } from '../kube/index.ts';

/**
 * karpenter.sh/v1alpha1 NodeOverlay as plain JSON: overrides what the provider says about the price or capacity of some
 * instance types.
 */
export interface NodeOverlay {
  readonly apiVersion: 'karpenter.sh/v1alpha1';
  readonly kind: 'NodeOverlay';
  readonly metadata: ObjectMeta;
  readonly spec: NodeOverlaySpec;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Which instance types it applies to, and the price or capacity that it sets. */
export interface NodeOverlaySpec {
  /** Requirements on the labels of the node: those of the machine, and those of the NodePool's template. */
  readonly requirements: readonly NodeSelectorRequirement[];
  /** Dollars an hour, in place of the provider's. Not together with `priceAdjustment`. */
  readonly price?: string;
  /** `+0.5`, `-0.5`, `+10%`, `-15%`: added to the provider's price, which stays at least 0. */
  readonly priceAdjustment?: string;
  /** Extended resources that the machines have in addition to, or instead of, what the provider says. */
  readonly capacity?: ResourceList;
  /** 1–10000; where two overlays set the same thing, the higher weight wins. Absent is 0. */
  readonly weight?: number;
}

/** Condition types of a NodeOverlay. `Ready` is true when the first is. */
export const nodeOverlayConditions = { validationSucceeded: 'ValidationSucceeded', ready: 'Ready' } as const;

/** Resources that only the provider may state. */
export const STANDARD_RESOURCES: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);
