import type { EventRecorder as RuntimeRecorder, KubeClient } from '@karpenter/runtime';

export type { Clock, Logger } from '@karpenter/runtime';

/** Reads past the caches, for the few questions where a stale answer would cost a machine. */
export type KubeReader = Pick<KubeClient, 'get'>;

/** The writes that Karpenter does. An absent object is an outcome, never an error; failures are `KubeError`. */
export type KubeWriter = Pick<KubeClient, 'create' | 'patch' | 'patchStatus' | 'delete' | 'evict'>;

export type Kube = KubeReader & KubeWriter;

/** Records what happened to an object, for `kubectl describe`. Never fails its caller. */
export type EventRecording = Pick<RuntimeRecorder, 'record'>;
