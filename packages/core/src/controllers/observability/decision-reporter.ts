import { reportSafely } from '@karpenter/runtime';
import type { RecordedEvent } from '@karpenter/runtime';
import type { DisruptionAllowance } from '../../disruption/index.ts';
import type { Caches, Clock, Decision, DecisionReporter, EventRecording, Logger, Metrics, Reading } from '../../ports/index.ts';
import { nodePoolNameOf } from '../../apis/index.ts';
import type { Pod } from '../../kube/index.ts';
import { coreMetrics } from './metrics/core-metrics.ts';
import { decisionCounter } from './metrics/decision-counter.ts';
import { eventsOf } from './events/decision-events.ts';
import { withSubjectUid } from './events/event-subjects.ts';
import { KeptNodeEvents } from './events/node-events.ts';
import type { PodSchedulingTimes } from './metrics/lifetimes.ts';
import { logDecision } from './decision-log.ts';
import { doNotDisruptNotices, resizeNotices } from './events/pod-notices.ts';

/** As the original shows that no budget applies. */
const NO_LIMIT = 2 ** 31 - 1;

const reading = ({ nodePoolName: nodepool, reason }: DisruptionAllowance, value: number): Reading => ({
  labels: { nodepool, reason },
  value,
});

/** Shows what budgets came to when they were last read: of the pools of that pass, and no others. */
export const budgetGauges = (metrics: Metrics, last: () => readonly DisruptionAllowance[]): void => {
  metrics.gauge(
    {
      name: 'karpenter_nodepools_allowed_disruptions',
      help: 'The number of nodes of a NodePool that can be concurrently disrupting at a point in time, by reason.',
      labelNames: ['nodepool', 'reason'],
    },
    () => last().map((each) => reading(each, Math.min(each.allowed, NO_LIMIT))),
  );
  metrics.gauge(
    {
      name: 'karpenter_nodepools_nodes_consuming_budgets',
      help: 'The number of nodes of a NodePool that consume its disruption budgets at a point in time, by reason.',
      labelNames: ['nodepool', 'reason'],
    },
    () => last().map((each) => reading(each, each.disrupting)),
  );
};

type Of<K extends Decision['kind']> = Extract<Decision, { readonly kind: K }>;
type Samenesses = { readonly [K in Decision['kind']]?: (decision: Of<K>) => string | undefined };

const AGAIN_AFTER_MS = 15 * 60_000;

/**
 * What a state that lasts brings up again and again, by what makes it the same; undefined: always new. Kinds that are not
 * here are always new.
 */
const samenesses: Samenesses = {
  'plan-computed': ({ plan: { plannedNodes, placements, rejections }, pods }) =>
    plannedNodes.length + placements.size > 0 ? undefined : `${pods} ${rejections.length}`,
  'left-out': ({ leftOut: { kind, name, problem } }) => `${kind} ${name} ${problem.field} ${problem.value}`,
  quarantined: ({ subjects, error, untilMs }) =>
    untilMs === undefined
      ? `${subjects.map(({ kind, namespace = '', name }) => `${kind} ${namespace}/${name}`).join()} ${String(error)}`
      : undefined,
  'node-claim-refused': ({ planned, resource }) => `${planned.nodePoolName} ${resource}`,
  'node-claim-invalid': ({ planned, message }) => `${planned.nodePoolName} ${message}`,
  'eviction-blocked': ({ pod: { metadata }, message }) => `${metadata.uid ?? metadata.name} ${message}`,
  // The message has figures of budgets, which change at each poll.
  'drain-waiting': ({ node, pods, holds }) => `${node.metadata.name} ${pods.join()} ${holds.join()}`,
  'deadline-nears': ({ claim, deadline }) => `${claim.metadata.name} ${deadline}`,
  'volumes-awaited': ({ node, volumes }) => `${node.metadata.name} ${volumes.join()}`,
  'claim-inconsistent': ({ claim, message }) => `${claim.metadata.name} ${message}`,
  'repair-blocked': ({ node }) => node.metadata.name,
  'command-waiting': ({ command }) => command.id,
  'rebalance-changed': ({ plan: { metadata, status } }) => `${metadata.name} ${status?.waves ?? 0} ${status?.message ?? ''}`,
  'catalog-failed': ({ nodePoolName, error }) => `${nodePoolName} ${String(error)}`,
};

const samenessOf = (decision: Decision): string | undefined =>
  // The table holds for each kind a function of that kind, which the compiler cannot follow through an index.
  (samenesses[decision.kind] as ((decision: Decision) => string | undefined) | undefined)?.(decision);

/** Drops what was reported in the last 15 minutes: a pod that fits nowhere must not fill the log. */
class LastingStates {
  readonly #saidAtMs = new Map<string, number>();

  isNew(decision: Decision, nowMs: number): boolean {
    const sameness = samenessOf(decision);
    if (sameness === undefined) return true;
    const key = `${decision.kind} ${sameness}`;
    for (const [said, atMs] of this.#saidAtMs) {
      if (nowMs < atMs + AGAIN_AFTER_MS) break;
      this.#saidAtMs.delete(said);
    }
    if (this.#saidAtMs.has(key)) return false;
    this.#saidAtMs.set(key, nowMs);
    return true;
  }
}

interface ReporterDeps {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly events: EventRecording;
  readonly caches: Pick<Caches, 'nodePools' | 'nodes' | 'nodeClaims'>;
  readonly clock: Clock;
  /** Bound to the node, and not at their end. */
  readonly podsOn: (nodeName: string) => readonly Pod[];
  readonly podTimes: PodSchedulingTimes;
}

/**
 * Makes of each decision a line in the log if it is new, counts in the metrics, and events on the objects concerned.
 * Each is made apart: one that throws is logged, and costs neither the others nor whoever decided.
 */
export const createDecisionReporter = ({ logger, metrics, events, caches, clock, ...around }: ReporterDeps): DecisionReporter => {
  const lasting = new LastingStates();
  const keptNodes = new KeptNodeEvents(logger);
  const doNotDisrupt = doNotDisruptNotices(logger);
  const resizes = resizeNotices(logger);
  const recordedEvents = (decision: Decision, nowMs: number): readonly RecordedEvent[] => {
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
    poolOf: (object) => caches.nodePools.get({ name: nodePoolNameOf(object) }),
    podsOf: ({ status }) => (status?.nodeName === undefined ? [] : around.podsOn(status.nodeName)),
    podTimes: around.podTimes,
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
        if (lasting.isNew(decision, nowMs)) logDecision(logger, decision);
      });
      apart('metrics', () => count(decision));
      apart('events', () => {
        for (const event of recordedEvents(decision, nowMs)) apart('event', () => record(event));
      });
    },
  };
};
