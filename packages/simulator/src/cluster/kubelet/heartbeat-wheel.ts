import type { Clock, TimerHandle } from '@karpenter/runtime';

/** Beats for many kubelets with one timer. */
export interface HeartbeatWheel extends Disposable {
  /** Calls `beat` once a period from now on, until what is returned is disposed. */
  join(beat: () => void): Disposable;
}

const SPOKES = 20;

/** Members are dealt out evenly over the spokes of the wheel, so that thousands of them make no burst. */
export const createHeartbeatWheel = (clock: Clock, periodMs: number): HeartbeatWheel => {
  const spokes = Array.from({ length: SPOKES }, () => new Set<() => void>());
  let at = 0;
  let timer: TimerHandle | undefined;

  const turn = (): void => {
    timer = clock.setTimeout(turn, periodMs / SPOKES);
    at = (at + 1) % SPOKES;
    for (const beat of spokes[at] ?? []) beat();
  };

  return {
    join: (beat) => {
      timer ??= clock.setTimeout(turn, periodMs / SPOKES);
      const spoke = spokes.reduce((least, one) => (one.size < least.size ? one : least));
      spoke.add(beat);
      return { [Symbol.dispose]: () => void spoke.delete(beat) };
    },
    [Symbol.dispose]: () => {
      timer?.cancel();
      for (const spoke of spokes) spoke.clear();
    },
  };
};
