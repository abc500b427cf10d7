export type { Logger } from '@karpenter/runtime';
