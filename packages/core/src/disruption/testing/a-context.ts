import type { ClusterSnapshot } from '../../cluster/index.ts';
import { defaultSchedulingPolicy } from '../../scheduling/index.ts';
import type { Plan } from '../../scheduling/index.ts';
import type { DisruptionContext } from '../disruption-context.ts';
import { NOW } from './a-cluster.ts';

/** The context of a pass over the snapshot, with the real scheduler and all the time in the world. */
export const aContext = (snapshot: ClusterSnapshot, rest: Partial<DisruptionContext> = {}): DisruptionContext => ({
  snapshot,
  policy: defaultSchedulingPolicy,
  nowMs: NOW,
  shouldStop: () => false,
  ...rest,
});

export const anEmptyPlan: Plan = { plannedNodes: [], placements: new Map(), rejections: [], pricePerHour: 0 };
