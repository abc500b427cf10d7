import type { EventRecorder as RuntimeRecorder } from '@karpenter/runtime';

/** Records what happened to an object, for `kubectl describe`. Never fails its caller. */
export type EventRecorder = Pick<RuntimeRecorder, 'record'>;
