import { defaultSchedulingPolicy } from '@karpenter/core';
import type { SchedulingPolicy } from '@karpenter/core';

/** The two ways of packing that are measured beside each other. */
export const cheapest = defaultSchedulingPolicy;
export const firstFit: SchedulingPolicy = { ...cheapest, packing: 'first-fit' };
