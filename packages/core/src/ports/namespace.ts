import type { ObjectMeta } from '../kube/index.ts';

export interface Namespace {
  readonly metadata: ObjectMeta;
}
