import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { FinishedRequest } from '../client/transport/transport-options.ts';
import type { ControllerMetrics, ReconcileResult } from '../controller/loop-environment.ts';

/**
 * The runtime's own metrics, ready to be handed to a transport (`onRequest`), a manager (`controllers`) and an elector
 * (`leadership`).
 */
export interface RuntimeMetrics {
  readonly onRequest: (finished: FinishedRequest) => void;
  readonly controllers: ControllerMetrics;
  /** Name of a lease → the state of its elector. */
  readonly leadership: (lease: string) => (isLeader: boolean) => void;
}

const SECONDS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60];

/** The words that controllers in Go have for how a reconcile ended, so that dashboards for them carry over. */
const RESULTS: Readonly<Record<ReconcileResult, string>> = {
  settled: 'success',
  none: 'success',
  requeue: 'requeue_after',
  conflict: 'requeue',
  failure: 'error',
  bug: 'error',
};

const histogram = (registry: Registry, name: string, labels: { readonly help: string; readonly labelNames: string[] }): Histogram =>
  new Histogram({ name, ...labels, buckets: SECONDS, registers: [registry] });

const queueMetrics = (registry: Registry): ControllerMetrics['queue'] => {
  const labelNames = ['name', 'controller'];
  const depth = new Gauge({ name: 'workqueue_depth', help: 'Keys that are due and wait.', labelNames, registers: [registry] });
  const retries = new Counter({
    name: 'workqueue_retries_total',
    help: 'Keys added again after a failure.',
    labelNames,
    registers: [registry],
  });
  const waited = histogram(registry, 'workqueue_queue_duration_seconds', { help: 'From being due to being taken.', labelNames });
  const worked = histogram(registry, 'workqueue_work_duration_seconds', { help: 'From being taken to being done.', labelNames });
  return (name) => {
    const of = { name, controller: name };
    return {
      depth: (waiting) => depth.set(of, waiting),
      retried: () => retries.inc(of),
      waited: (ms) => waited.observe(of, ms / 1000),
      worked: (ms) => worked.observe(of, ms / 1000),
    };
  };
};

const leadershipMetric = (registry: Registry): RuntimeMetrics['leadership'] => {
  const status = new Gauge({
    name: 'leader_election_master_status',
    help: '1 while this replica holds the lease that is named, 0 while it stands by.',
    labelNames: ['name'],
    registers: [registry],
  });
  return (name) => (isLeader) => status.set({ name }, isLeader ? 1 : 0);
};

/** Registers the metrics in `registry`, under the names that controllers in Go use. */
export const createRuntimeMetrics = (registry: Registry): RuntimeMetrics => {
  const reconciled = new Counter({
    name: 'controller_runtime_reconcile_total',
    help: 'Reconciles by controller and result.',
    labelNames: ['controller', 'result'],
    registers: [registry],
  });
  const errors = new Counter({
    name: 'controller_runtime_reconcile_errors_total',
    help: 'Reconciles that failed, by controller; a conflict is no failure.',
    labelNames: ['controller'],
    registers: [registry],
  });
  const bugs = new Counter({
    name: 'controller_runtime_reconcile_bugs_total',
    help: 'Bugs that reconciles met: what they threw and no failure of the outside explains. Reconciles are retried, or go on without the object. `cache.<Kind>`: of what a cache calls; `state`: of an object that is left out of all reconciles.',
    labelNames: ['controller'],
    registers: [registry],
  });
  const reconcileTime = histogram(registry, 'controller_runtime_reconcile_time_seconds', {
    help: 'Time of a reconcile.',
    labelNames: ['controller'],
  });
  const requests = new Counter({
    name: 'rest_client_requests_total',
    help: 'HTTP requests to the API server by method and status.',
    labelNames: ['method', 'operation', 'code'],
    registers: [registry],
  });
  const requestTime = histogram(registry, 'rest_client_request_duration_seconds', {
    help: 'Time of an HTTP request.',
    labelNames: ['method', 'operation'],
  });
  return {
    onRequest: ({ method, operation, result, durationMs }) => {
      requests.inc({ method, operation, code: result });
      requestTime.observe({ method, operation }, durationMs / 1000);
    },
    controllers: {
      reconciled: (controller, result, durationMs) => {
        reconciled.inc({ controller, result: RESULTS[result] });
        if (RESULTS[result] === 'error') errors.inc({ controller });
        reconcileTime.observe({ controller }, durationMs / 1000);
      },
      bug: (controller) => bugs.inc({ controller }),
      queue: queueMetrics(registry),
    },
    leadership: leadershipMetric(registry),
  };
};
