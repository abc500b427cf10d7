import type { DisruptionReason } from '../../apis/index.ts';
import type { DisruptionMethod } from '../../disruption/index.ts';
import type { Shell } from '../shell.ts';

const REASONS: Readonly<Record<DisruptionMethod, DisruptionReason>> = {
  emptiness: 'Empty',
  'static-drift': 'Drifted',
  drift: 'Drifted',
  'multi-node': 'Underutilized',
  'single-node': 'Underutilized',
};

/** Tells what each method of a pass took: from its begin to that of the next one, or to the end of the pass. */
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
    /** How long the method that runs now has been running. */
    runningMs: (): number => (running === undefined ? 0 : clock.now() - running.startMs),
  };
};
