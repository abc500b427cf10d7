import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { KubeClient } from '@karpenter/runtime';
import { type AuditedRequest, startBenchCluster } from './bench-cluster.ts';
import { ClusterLedger } from './cluster-ledger.ts';
import { type Contestant, metricSum, type ProcessUsage, startContestant } from './contestant.ts';
import type { Programs } from './programs.ts';
import { runScenarioStep, type StepFigures } from './run-step.ts';
import type { BenchScenario, Hands } from './scenarios.ts';

const IDLE_MS = 20_000;

/** What was paid from the beginning of a step, a pause too, to the beginning of the next. */
export interface StepCost {
  readonly seconds: number;
  readonly dollars: number;
  /** At the end of the step. */
  readonly pricePerHour: number;
}

/** What one controller made of a scenario. */
export interface RunFigures {
  readonly steps: readonly StepFigures[];
  readonly costs: readonly StepCost[];
  /** Sums over the steps, also over those that did not come true. */
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
  readonly cpuSeconds: number;
  readonly idleMib: number;
  readonly mostMib: number;
  readonly requests: number;
  /** Steps that did not come true within their limit. */
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

const secondsOf = (steps: readonly StepFigures[], kind: StepFigures['kind']): number =>
  steps.filter((step) => step.kind === kind).reduce((sum, { seconds }) => sum + seconds, 0);

interface Measured {
  readonly steps: readonly StepFigures[];
  readonly costs: readonly StepCost[];
  readonly idleMib: number;
  readonly mostNodes: number;
  readonly audited: readonly AuditedRequest[];
  readonly usage: ProcessUsage;
  /** What the controller's metrics page said at the end. */
  readonly metrics: string;
}

const figuresOf = (ledger: ClusterLedger, measured: Measured): RunFigures => {
  const { steps, costs, audited, metrics } = measured;
  const { cpuSeconds, mostResidentMib } = measured.usage;
  return {
    ...{ steps, costs, secondsBound: secondsOf(steps, 'bound'), secondsSettled: secondsOf(steps, 'settled') },
    ...{ mostNodes: measured.mostNodes, nodes: ledger.nodeCount, launches: ledger.launches },
    evictions: audited.filter(isEviction).length,
    commands: metricSum(metrics, 'karpenter_voluntary_disruption_decisions_total'),
    abandoned: metricSum(metrics, 'karpenter_voluntary_disruption_failed_validations_total'),
    ...{ pricePerHour: ledger.pricePerHour, dollars: costs.reduce((sum, { dollars }) => sum + dollars, 0) },
    ...{ cpuSeconds, idleMib: measured.idleMib, mostMib: mostResidentMib, requests: audited.length },
    unfinished: steps.filter(({ isFinished }) => !isFinished).length,
  };
};

/** What a run needs beside its scenario and its controller. */
export interface ScenarioRunOptions {
  readonly programs: Programs;
  /** The controller's log; its requests by kind and its metrics at the end go into files beside it. */
  readonly logPath: string;
  readonly signal: AbortSignal;
}

/** Runs a scenario with one controller on a fresh control plane. Errors: thrown if the controller ended. */
export const runScenario = async (scenario: BenchScenario, contestant: Contestant, options: ScenarioRunOptions): Promise<RunFigures> => {
  const { programs, logPath, signal } = options;
  const label = `${scenario.name}/${contestant.name}`;
  process.stderr.write(`${label}: starts\n`);
  await using cluster = await startBenchCluster(programs, { crds: contestant.crds, rates: scenario.rates });
  const hands = handsOn(cluster.client);
  await using running = await startContestant(contestant, { cluster: cluster.access, logPath });
  await using ledger = new ClusterLedger(cluster.client);
  await hands.create(...scenario.setUp);
  await pause(IDLE_MS, undefined, { signal });
  const { residentMib: idleMib } = running.usage();
  const steps: StepFigures[] = [];
  const costs: StepCost[] = [];
  let mostNodes = 0;
  for (const step of scenario.steps) {
    const [startedMs, paid] = [Date.now(), ledger.dollars()];
    const figures = await runScenarioStep(step, { label, hands, ledger, running, signal });
    costs.push({ seconds: (Date.now() - startedMs) / 1000, dollars: ledger.dollars() - paid, pricePerHour: ledger.pricePerHour });
    mostNodes = Math.max(mostNodes, ledger.mostNodes);
    if (figures !== undefined) steps.push(figures);
  }
  const audited = cluster.audited();
  writeFileSync(`${logPath}.requests.json`, `${JSON.stringify(countedBy(audited), null, 2)}\n`);
  const metrics = await running.scrape();
  writeFileSync(`${logPath}.metrics.txt`, metrics);
  return figuresOf(ledger, { steps, costs, idleMib, mostNodes, audited, usage: running.usage(), metrics });
};
