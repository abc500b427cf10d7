import type { HealthCheck } from '../health/health-checks.ts';
import type { LoopEnvironment } from './loop-environment.ts';

/** Knows which reconciles are under way, and since when. */
export interface LoopWatch {
  /** Call it when a reconcile begins, and the returned function when it ends. */
  begin(controller: string): () => void;
  /**
   * Fails when a reconcile has been under way for too long: its loop is stuck. Logs that once, because the kubelet
   * keeps the answer of a probe to itself.
   */
  readonly check: HealthCheck;
}

/** Nothing under way. A reconcile that takes longer than `stuckAfterMs` is stuck. */
export const loopWatch = ({ clock, logger }: Pick<LoopEnvironment, 'clock' | 'logger'>, stuckAfterMs: number): LoopWatch => {
  const underWay = new Map<symbol, { readonly controller: string; readonly sinceMs: number }>();
  const reported = new Set<symbol>();
  const reportStuck = (id: symbol, controller: string, ms: number): void => {
    if (!reported.has(id)) logger.error('a loop is stuck: the process is no longer healthy', { controller, underWayMs: ms });
    reported.add(id);
  };
  return {
    begin(controller) {
      const id = Symbol(controller);
      underWay.set(id, { controller, sinceMs: clock.now() });
      return () => {
        underWay.delete(id);
        reported.delete(id);
      };
    },
    check: () => {
      for (const [id, { controller, sinceMs }] of underWay) {
        const ms = clock.now() - sinceMs;
        if (ms < stuckAfterMs) continue;
        reportStuck(id, controller, ms);
        return `a reconcile of ${controller} has been under way for ${Math.round(ms / 1000)} s`;
      }
      return undefined;
    },
  };
};
