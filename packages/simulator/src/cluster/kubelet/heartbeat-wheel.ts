import type { Clock, TimerHandle } from '@karpenter/runtime';

/** Beats for many kubelets with one timer. */
export interface HeartbeatWheel extends Disposable {
  /** Calls `beat` once a period from now on, until what is returned is disposed. */
  join(beat: () => void): Disposable;
}

const SPOKES = 20;

/**
 * Members are dealt out evenly over the spokes of the wheel, so that thousands of them make no burst. A wheel that was
 * held up catches up, so that a busy process does not look like dead nodes. Spokes without members cost no timer.
 */
export const createHeartbeatWheel = (clock: Clock, periodMs: number): HeartbeatWheel => {
  const spokes = Array.from({ length: SPOKES }, () => new Set<() => void>());
  const spokeMs = periodMs / SPOKES;
  const startMs = clock.now();
  let turned = 0;
  let timer: TimerHandle | undefined;

  /** How many spokes have passed by the clock. */
  const passed = (): number => Math.floor((clock.now() - startMs) / spokeMs);
  /** The next spoke to turn that has members. */
  const nextAt = (): number | undefined => {
    for (let at = turned + 1; at <= turned + SPOKES; at += 1) if ((spokes[at % SPOKES]?.size ?? 0) > 0) return at;
    return undefined;
  };
  const setTimer = (): void => {
    timer?.cancel();
    const at = nextAt();
    timer = at === undefined ? undefined : clock.setTimeout(turn, Math.max(0, startMs + at * spokeMs - clock.now()));
  };
  const turn = (): void => {
    const due = passed();
    for (let at = Math.max(turned, due - SPOKES) + 1; at <= due; at += 1) {
      for (const beat of spokes[at % SPOKES] ?? []) beat();
    }
    turned = due;
    setTimer();
  };

  return {
    join: (beat) => {
      turned = Math.max(turned, Math.min(passed(), (nextAt() ?? Infinity) - 1));
      const spoke = spokes.reduce((least, one) => (one.size < least.size ? one : least));
      spoke.add(beat);
      setTimer();
      return { [Symbol.dispose]: () => void spoke.delete(beat) };
    },
    [Symbol.dispose]: () => {
      timer?.cancel();
      for (const spoke of spokes) spoke.clear();
    },
  };
};
