import type { Clock, TimerHandle } from '@karpenter/runtime';

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
