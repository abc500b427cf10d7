import type { Clock } from '@karpenter/runtime';
import type { LocalApi } from '@karpenter/api-server';
import type { ClusterPodIndex } from './pod-index.ts';

/** What every controller of the embedded control plane works with. */
export interface ControlDeps {
  readonly api: LocalApi;
  readonly clock: Clock;
  readonly pods: ClusterPodIndex;
}

/** Starts a controller; disposing what it returns stops it. */
export type StartController = (deps: ControlDeps) => Disposable;
