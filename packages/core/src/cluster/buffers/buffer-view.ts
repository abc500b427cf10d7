import type { CapacityBuffer } from '../../apis/index.ts';
import type { Pod } from '../../kube/index.ts';

/** A CapacityBuffer that asks for room now. */
export interface BufferView {
  readonly buffer: CapacityBuffer;
  /** One for each chunk, never empty. They are not in the API server: no event, nomination or pod metric is about them. */
  readonly virtualPods: readonly Pod[];
}
