import { reportSafely } from '@karpenter/runtime';
import type { RecordedEvent } from '@karpenter/runtime';
import { labels } from '../../apis/index.ts';
import type { DisruptionAllowance } from '../../disruption/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { Caches, Clock, Decision, DecisionReporter, EventRecording, Logger, Metrics } from '../../ports/index.ts';
import { budgetGauges } from './gauges/budget-gauges.ts';
import { coreMetrics } from './metrics/core-metrics.ts';
import { decisionCounter } from './metrics/count-decisions.ts';
import { eventsOf } from './events/events-of.ts';
import { withSubjectUid } from './events/event-subjects.ts';
import { KeptNodeEvents } from './events/kept-node-events.ts';
import { LastingStates } from './gauges/lasting-states.ts';
import { logDecision } from './log-decisions.ts';
import { doNotDisruptNotices, resizeNotices } from './events/pod-notices.ts';

export interface ReporterDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly events: EventRecording;
  readonly caches: Pick<Caches, 'nodePools' | 'nodes' | 'nodeClaims'>;
  readonly clock: Clock;
  /** Bound to the node, and not at their end. */
  readonly podsOn: (nodeName: string) => readonly Pod[];
}

/**
 * Makes of each decision a line in the log if it is news, counts in the metrics, and events on the objects concerned.
 * Each is made apart: one that throws is logged, and costs neither the others nor whoever decided.
 */
export const createDecisionReporter = ({ logger, metrics, events, caches, clock, podsOn }: ReporterDeps): DecisionReporter => {
  const lasting = new LastingStates();
  const keptNodes = new KeptNodeEvents(logger);
  const doNotDisrupt = doNotDisruptNotices(logger);
  const resizes = resizeNotices(logger);
  const told = (decision: Decision, nowMs: number): readonly RecordedEvent[] => {
    switch (decision.kind) {
      case 'nodes-kept':
        return keptNodes.of(decision.kept, nowMs);
      case 'do-not-disrupt-read':
        return doNotDisrupt.of(decision.pods, nowMs);
      case 'resizes-read':
        return resizes.of(decision.pods, nowMs);
      default:
        return eventsOf(decision);
    }
  };
  const count = decisionCounter(coreMetrics(metrics), {
    poolOf: ({ metadata }) => caches.nodePools.get({ name: metadata.labels?.[labels.nodePool] ?? '' }),
    podsOf: ({ status }) => (status?.nodeName === undefined ? [] : podsOn(status.nodeName)),
  });
  const record = (event: RecordedEvent): void => {
    const located = withSubjectUid(event, caches);
    if (located !== undefined) events.record(located);
  };
  let allowances: readonly DisruptionAllowance[] = [];
  budgetGauges(metrics, () => allowances);
  return {
    report(decision) {
      const nowMs = clock.now();
      const apart = (what: string, report: () => void): void =>
        void reportSafely({ logger, about: { decision: decision.kind, what } }, report);
      if (decision.kind === 'budgets-read') ({ allowances } = decision);
      apart('log', () => {
        if (lasting.isNews(decision, nowMs)) logDecision(logger, decision);
      });
      apart('metrics', () => count(decision));
      apart('events', () => {
        for (const event of told(decision, nowMs)) apart('event', () => record(event));
      });
    },
  };
};
