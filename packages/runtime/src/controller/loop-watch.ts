import type { Clock } from '../clock/clock.ts';
import type { HealthCheck } from '../health/health-checks.ts';

/** Knows which reconciles are under way, and since when. */
export interface LoopWatch {
  /** Call it when a reconcile begins, and the returned function when it ends. */
  begin(controller: string): () => void;
  /** Fails when a reconcile has been under way for too long: its loop is stuck. */
  readonly check: HealthCheck;
}

/** Nothing under way. A reconcile that takes longer than `stuckAfterMs` is stuck. */
export const loopWatch = (clock: Clock, stuckAfterMs: number): LoopWatch => {
  const underWay = new Map<symbol, { readonly controller: string; readonly sinceMs: number }>();
  return {
    begin(controller) {
      const id = Symbol(controller);
      underWay.set(id, { controller, sinceMs: clock.now() });
      return () => void underWay.delete(id);
    },
    check: () => {
      for (const { controller, sinceMs } of underWay.values()) {
        const ms = clock.now() - sinceMs;
        if (ms >= stuckAfterMs) return `a reconcile of ${controller} has been under way for ${Math.round(ms / 1000)} s`;
      }
      return undefined;
    },
  };
};
