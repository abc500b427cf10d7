export type { Clock } from '@karpenter/runtime';
