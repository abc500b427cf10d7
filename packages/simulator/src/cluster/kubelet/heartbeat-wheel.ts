import type { Clock } from '@karpenter/runtime';
import { every } from '../control/every.ts';

/** Beats for many kubelets with one timer. */
export interface HeartbeatWheel extends Disposable {
  /** Calls `beat` once a period from now on, until what is returned is disposed. */
  join(beat: () => void): Disposable;
}

const SPOKES = 20;

/**
 * Members are dealt out evenly over the spokes of the wheel, so that thousands of them make no burst. A wheel that was
 * held up catches up, so that a busy process does not look like dead nodes.
 */
export const createHeartbeatWheel = (clock: Clock, periodMs: number): HeartbeatWheel => {
  const spokes = Array.from({ length: SPOKES }, () => new Set<() => void>());
  const spokeMs = periodMs / SPOKES;
  const startMs = clock.now();
  let turned = 0;

  const turn = (): void => {
    const due = Math.floor((clock.now() - startMs) / spokeMs);
    for (let at = Math.max(turned, due - SPOKES) + 1; at <= due; at += 1) {
      for (const beat of spokes[at % SPOKES] ?? []) beat();
    }
    turned = due;
  };
  const timer = every(clock, spokeMs, turn);

  return {
    join: (beat) => {
      const spoke = spokes.reduce((least, one) => (one.size < least.size ? one : least));
      spoke.add(beat);
      return { [Symbol.dispose]: () => void spoke.delete(beat) };
    },
    [Symbol.dispose]: () => {
      timer[Symbol.dispose]();
      for (const spoke of spokes) spoke.clear();
    },
  };
};
