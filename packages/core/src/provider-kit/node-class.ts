import type { Condition, ObjectMeta } from '../kube/index.ts';

/** As much of a NodeClass as is the same for all clouds. */
export interface NodeClass {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: object;
  readonly status?: { readonly conditions?: readonly Condition[] };
}
