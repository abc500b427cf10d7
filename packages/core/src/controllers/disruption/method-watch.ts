import type { DisruptionReason } from '../../apis/index.ts';
import type { DisruptionMethod } from '../../disruption/index.ts';
import type { Shell } from '../shell.ts';

const REASONS: Readonly<Record<DisruptionMethod, DisruptionReason>> = {
  emptiness: 'Empty',
  'static-drift': 'Drifted',
  drift: 'Drifted',
  rebalance: 'Underutilized',
  'multi-node': 'Underutilized',
  'single-node': 'Underutilized',
};

/** A stopwatch for the methods of a pass: reports how long each ran, until the next one started or the pass ended. */
export const methodWatch = ({ clock, reporter }: Pick<Shell, 'clock' | 'reporter'>) => {
  let running: { readonly method: DisruptionMethod; readonly startMs: number } | undefined;
  const end = (): void => {
    if (running === undefined) return;
    const { method, startMs } = running;
    reporter.report({ kind: 'method-looked', method, reason: REASONS[method], tookMs: clock.now() - startMs });
    running = undefined;
  };
  return {
    onMethodStart: (method: DisruptionMethod): void => {
      end();
      running = { method, startMs: clock.now() };
    },
    end,
    /** How long the current method has been running. */
    runningMs: (): number => (running === undefined ? 0 : clock.now() - running.startMs),
  };
};
