import type { EventRecorder as RuntimeRecorder } from '@karpenter/runtime';

/** Tells people who describe an object what happened to it. Never fails its caller. */
export type EventRecorder = Pick<RuntimeRecorder, 'record'>;
