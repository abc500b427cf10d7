import { labels } from '../../apis/index.ts';
import type { Caches, DecisionReporter, EventRecorder, Logger, Metrics } from '../../ports/index.ts';
import { coreMetrics } from './core-metrics.ts';
import { decisionCounter } from './count-decisions.ts';
import { eventsOf } from './events-of.ts';
import { logDecision } from './log-decisions.ts';

export interface ReporterDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly events: EventRecorder;
  readonly caches: Pick<Caches, 'nodePools'>;
}

/** Makes of each decision a line in the log, counts in the metrics, and events on the objects concerned. */
export const createDecisionReporter = ({ logger, metrics, events, caches }: ReporterDeps): DecisionReporter => {
  const count = decisionCounter(coreMetrics(metrics), (claim) =>
    caches.nodePools.get({ name: claim.metadata.labels?.[labels.nodePool] ?? '' }),
  );
  return {
    report(decision) {
      logDecision(logger, decision);
      count(decision);
      for (const event of eventsOf(decision)) events.record(event);
    },
  };
};
