import type { Clock, TimerHandle } from '@karpenter/runtime';
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

/** Calls `sweep` once a period until disposed; the first time after one period. */
export const every = (clock: Clock, periodMs: number, sweep: () => void): Disposable => {
  let timer: TimerHandle;
  const turn = (): void => {
    timer = clock.setTimeout(turn, periodMs);
    sweep();
  };
  timer = clock.setTimeout(turn, periodMs);
  return { [Symbol.dispose]: () => timer.cancel() };
};

/** Disposes several things as one, in the order given. */
export const together = (...parts: readonly Disposable[]): Disposable => ({
  [Symbol.dispose]: () => {
    for (const part of parts) part[Symbol.dispose]();
  },
});
