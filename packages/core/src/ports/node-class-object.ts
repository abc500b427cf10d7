import type { Condition, ObjectMeta } from '../kube/index.ts';

/** What core reads of a provider's NodeClass: whether it is ready. */
export interface NodeClassObject {
  readonly metadata: ObjectMeta;
  readonly status?: { readonly conditions?: readonly Condition[] };
}
