import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { KubeClient } from '@karpenter/runtime';
import { type AuditedRequest, startBenchCluster } from './bench-cluster.ts';
import { ClusterLedger } from './cluster-ledger.ts';
import { type Contestant, metricSum, type ProcessUsage, startContestant } from './contestant.ts';
import type { Programs } from './programs.ts';
import type { BenchScenario, Hands, ScenarioStep } from './scenarios.ts';

const POLL_MS = 500;
const IDLE_MS = 20_000;
/** Longer than `consolidateAfter`, the wait for validation, and a pass together. */
const QUIET_MS = 90_000;
const STEP_LIMIT_MS = 15 * 60_000;

/** What one controller made of a scenario. */
export interface RunFigures {
  readonly secondsBound: number;
  readonly secondsSettled: number;
  /** The most at once, and those at the end. */
  readonly mostNodes: number;
  readonly nodes: number;
  readonly launches: number;
  readonly evictions: number;
  readonly commands: number;
  readonly abandoned: number;
  readonly pricePerHour: number;
  readonly dollars: number;
  /** How long the dollars were counted. */
  readonly runSeconds: number;
  readonly cpuSeconds: number;
  readonly idleMib: number;
  readonly mostMib: number;
  readonly requests: number;
  /** Steps that did not come true within a quarter of an hour. */
  readonly unfinished: number;
}

const handsOn = (client: KubeClient): Hands => {
  const key = (name: string) => ({ namespace: 'default', name });
  return {
    create: async (...objects) => {
      for (const object of objects) await client.create(object.kind, object);
    },
    scale: async (name, replicas) => {
      await client.patch('Deployment', key(name), { type: 'merge', body: { spec: { replicas } } });
    },
    remove: async (name) => {
      await client.delete('Deployment', key(name), { propagationPolicy: 'Background' });
    },
    relabelPool: async (labels) => {
      await client.patch('NodePool', { name: 'default' }, { type: 'merge', body: { spec: { template: { metadata: { labels } } } } });
    },
  };
};

/** Asked again and again: since when all pods have been as wanted, and whether that is enough. */
const doneCheck = (until: Exclude<ScenarioStep['until'], { kind: 'pause' }>, ledger: ClusterLedger): (() => boolean) => {
  let boundSinceMs: number | undefined;
  return () => {
    const { bound, all } = ledger.podCounts();
    boundSinceMs = bound === until.pods && all === until.pods ? (boundSinceMs ?? Date.now()) : undefined;
    if (boundSinceMs === undefined || until.kind === 'bound') return boundSinceMs !== undefined;
    return Date.now() - Math.max(ledger.lastChangeMs, boundSinceMs) >= QUIET_MS;
  };
};

interface StepTime {
  readonly kind: ScenarioStep['until']['kind'];
  /** Infinity: it did not come true in time. */
  readonly seconds: number;
}

const runStep = async ({ act, until }: ScenarioStep, hands: Hands, ledger: ClusterLedger): Promise<StepTime> => {
  const startedMs = Date.now();
  await act(hands);
  if (until.kind === 'pause') {
    await pause(until.ms);
    return { kind: until.kind, seconds: 0 };
  }
  const isDone = doneCheck(until, ledger);
  while (!isDone()) {
    if (Date.now() - startedMs > STEP_LIMIT_MS) return { kind: until.kind, seconds: Number.POSITIVE_INFINITY };
    await pause(POLL_MS);
  }
  const endMs = until.kind === 'bound' ? Date.now() : Math.max(ledger.lastChangeMs, startedMs);
  return { kind: until.kind, seconds: (endMs - startedMs) / 1000 };
};

const isEviction = ({ verb, objectRef, responseStatus }: AuditedRequest): boolean => {
  const { resource, subresource } = objectRef ?? {};
  const isAsked = (verb === 'create' && subresource === 'eviction') || (verb === 'delete' && subresource === undefined);
  return resource === 'pods' && isAsked && (responseStatus?.code ?? 500) < 300;
};

/** Verb and resource → requests, the most frequent first. */
const countedBy = (audited: readonly AuditedRequest[]): Readonly<Record<string, number>> => {
  const nameOf = ({ verb, objectRef: { resource = '', subresource } = {} }: AuditedRequest): string =>
    `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`;
  const counts = [...Map.groupBy(audited, nameOf)].map(([name, requests]): [string, number] => [name, requests.length]);
  return Object.fromEntries(counts.sort(([, a], [, b]) => b - a));
};

/** The most nodes at once, looked at while a scenario runs. */
const watchNodes = (ledger: ClusterLedger): Disposable & { readonly most: () => number } => {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, ledger.nodeCount)), POLL_MS);
  return { most: () => most, [Symbol.dispose]: () => clearInterval(timer) };
};

const totalOf = (times: readonly StepTime[], kind: StepTime['kind']): number =>
  times.filter((time) => time.kind === kind && Number.isFinite(time.seconds)).reduce((sum, { seconds }) => sum + seconds, 0);

interface Measured {
  readonly times: readonly StepTime[];
  readonly idleMib: number;
  readonly mostNodes: number;
  readonly startedMs: number;
  readonly audited: readonly AuditedRequest[];
  readonly usage: ProcessUsage;
  /** What the controller's metrics page said at the end. */
  readonly metrics: string;
}

const figuresOf = (ledger: ClusterLedger, measured: Measured): RunFigures => {
  const { times, audited, metrics } = measured;
  const { cpuSeconds, mostResidentMib } = measured.usage;
  return {
    ...{ secondsBound: totalOf(times, 'bound'), secondsSettled: totalOf(times, 'settled') },
    ...{ mostNodes: measured.mostNodes, nodes: ledger.nodeCount, launches: ledger.launches },
    evictions: audited.filter(isEviction).length,
    commands: metricSum(metrics, 'karpenter_voluntary_disruption_decisions_total'),
    abandoned: metricSum(metrics, 'karpenter_voluntary_disruption_failed_validations_total'),
    ...{ pricePerHour: ledger.pricePerHour, dollars: ledger.dollars(), runSeconds: (Date.now() - measured.startedMs) / 1000 },
    ...{ cpuSeconds, idleMib: measured.idleMib, mostMib: mostResidentMib, requests: audited.length },
    unfinished: times.filter(({ seconds }) => !Number.isFinite(seconds)).length,
  };
};

/**
 * Runs a scenario with one controller on a fresh control plane. The controller's log goes into `logPath`, what it asked
 * of the API server and its metrics at the end into files beside it.
 */
export const runScenario = async (
  scenario: BenchScenario,
  contestant: Contestant,
  { programs, logPath }: { readonly programs: Programs; readonly logPath: string },
): Promise<RunFigures> => {
  await using cluster = await startBenchCluster(programs, contestant.crds);
  const hands = handsOn(cluster.client);
  await using running = await startContestant(contestant, { kubeconfigPath: cluster.kubeconfigPath, logPath });
  await using ledger = new ClusterLedger(cluster.client);
  await hands.create(...scenario.setUp);
  await pause(IDLE_MS);
  const { residentMib: idleMib } = running.usage();
  using nodes = watchNodes(ledger);
  const startedMs = Date.now();
  const times: StepTime[] = [];
  for (const step of scenario.steps) {
    times.push(await runStep(step, hands, ledger));
    const { bound, all } = ledger.podCounts();
    const { kind, seconds } = times.at(-1) ?? { kind: 'pause', seconds: 0 };
    if (kind !== 'pause')
      process.stderr.write(
        `${scenario.name}/${contestant.name}: ${kind} after ${seconds.toFixed(0)} s, ${bound} of ${all} pods on ${ledger.nodeCount} nodes, ${ledger.launches} launches, $${ledger.pricePerHour.toFixed(2)}/h\n`,
      );
  }
  const audited = cluster.audited();
  writeFileSync(`${logPath}.requests.json`, `${JSON.stringify(countedBy(audited), null, 2)}\n`);
  const metrics = await running.scrape();
  writeFileSync(`${logPath}.metrics.txt`, metrics);
  return figuresOf(ledger, { times, idleMib, mostNodes: nodes.most(), startedMs, audited, usage: running.usage(), metrics });
};
