import { epochMsOf } from '../base/index.ts';
import type { ObjectMeta } from '../kube/index.ts';

/** How long ago the object was created; 0 when it does not say. */
export const ageMs = ({ creationTimestamp }: ObjectMeta, nowMs: number): number =>
  Math.max(0, nowMs - (epochMsOf(creationTimestamp) ?? nowMs));
