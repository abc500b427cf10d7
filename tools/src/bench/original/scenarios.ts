import type { KubeObject } from '@karpenter/runtime';
import type { RequestRates } from './bench-cluster.ts';
import { aBudget, benchDaemonSet, benchDeployment, alone, aPool, chosenOf, softly, type Workload } from './workloads.ts';

/** What a scenario does to a cluster. */
export interface Hands {
  create(...objects: readonly KubeObject[]): Promise<void>;
  scale(name: string, replicas: number): Promise<void>;
  remove(name: string): Promise<void>;
  /** Changes the template of the NodePool. */
  relabelPool(labels: Readonly<Record<string, string>>): Promise<void>;
}

/** An action, and what it is to come to. */
export interface ScenarioStep {
  readonly act: (hands: Hands) => Promise<void>;
  /** `bound`: every pod has a node. `settled`: beside that, no machine has come or gone for `quietMs`. `pause`: nothing. */
  readonly until: { readonly kind: 'bound' | 'settled'; readonly pods: number } | { readonly kind: 'pause'; readonly ms: number };
  /** How long it may take. Default: a quarter of an hour. */
  readonly limitMs?: number;
  /** How long no machine comes or goes before a step counts as settled. Default: three minutes. */
  readonly quietMs?: number;
}

/** One comparison. Every step begins when the one before has come true. */
export interface BenchScenario {
  readonly name: string;
  /** There before the controller's load begins. */
  readonly setUp: readonly KubeObject[];
  readonly steps: readonly ScenarioStep[];
  /** Of Kubernetes' own controllers, where theirs would be what is measured. */
  readonly rates?: RequestRates;
  /** Runs only if it is named: it takes too long, or too much. */
  readonly isLarge?: boolean;
}

const deploy =
  (...workloads: readonly Workload[]): ScenarioStep['act'] =>
  (hands) =>
    hands.create(...workloads.map(benchDeployment));

const scaleAll =
  (names: readonly string[], replicas: number): ScenarioStep['act'] =>
  async (hands) => {
    for (const name of names) await hands.scale(name, replicas);
  };

const bound = (pods: number): ScenarioStep['until'] => ({ kind: 'bound', pods });
const settled = (pods: number): ScenarioStep['until'] => ({ kind: 'settled', pods });

const ramp: BenchScenario = {
  name: 'ramp',
  setUp: aPool(),
  steps: [
    {
      act: deploy(
        { name: 'small', replicas: 500, cpu: '900m', memory: '1Gi' },
        { name: 'large', replicas: 500, cpu: '3800m', memory: '4Gi' },
      ),
      until: bound(1000),
    },
    { act: scaleAll(['small', 'large'], 200), until: settled(400) },
  ],
};

const solitary: BenchScenario = {
  name: 'solitary',
  setUp: aPool(),
  steps: [
    { act: deploy({ name: 'alone', replicas: 300, cpu: '500m', memory: '1Gi', podSpec: alone('alone') }), until: bound(300) },
    { act: scaleAll(['alone'], 100), until: settled(100) },
  ],
};

/** Nodes of four cpus with three pods each; one pod of each stays: a ReplicaSet ends pods first where it has several. */
const ragged: BenchScenario = {
  name: 'ragged',
  setUp: aPool([chosenOf('karpenter.kwok.sh/instance-cpu', '4')]),
  steps: [
    { act: deploy({ name: 'ragged', replicas: 300, cpu: '1200m', memory: '1Gi' }), until: bound(300) },
    { act: scaleAll(['ragged'], 100), until: settled(100) },
  ],
};

const chartNames = Array.from({ length: 60 }, (_, index) => `chart-${index}`);
/** Requests of charts: many small ones, some large. */
const CHART_SIZES = [
  { cpu: '100m', memory: '128Mi' },
  { cpu: '250m', memory: '512Mi' },
  { cpu: '500m', memory: '1Gi' },
  { cpu: '1', memory: '2Gi' },
  { cpu: '200m', memory: '1Gi' },
];

const charts: BenchScenario = {
  name: 'charts',
  setUp: [...aPool(), ...['logs', 'metrics', 'network'].map((name) => benchDaemonSet({ name, cpu: '100m', memory: '128Mi' }))],
  steps: [
    {
      act: deploy(
        ...chartNames.map((name, index) => ({
          ...{ name, replicas: 10, cpu: '250m', memory: '512Mi', ...CHART_SIZES[index % CHART_SIZES.length] },
          podSpec: softly(name),
        })),
      ),
      until: bound(600),
    },
    { act: scaleAll(chartNames, 5), until: settled(300) },
    { act: scaleAll(chartNames, 10), until: settled(600) },
  ],
};

/** Each pod has a node of its own: where two may share one, the sides choose different numbers of nodes to replace. */
const drift: BenchScenario = {
  name: 'drift',
  setUp: [...aPool([], '10%'), aBudget('held', '20%')],
  steps: [
    {
      act: deploy(
        { name: 'held', replicas: 30, cpu: '800m', memory: '1Gi', podSpec: alone('held', 'free') },
        { name: 'free', replicas: 30, cpu: '1700m', memory: '1Gi', podSpec: alone('held', 'free') },
      ),
      until: settled(60),
    },
    { act: (hands) => hands.relabelPool({ generation: 'two' }), until: settled(60) },
  ],
};

const CHURN_EVERY_MS = 15_000;

/** Forty changes in ten minutes; the same ones in every run. */
const churnSteps = (): readonly ScenarioStep[] => {
  let state = 17;
  const draw = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % below;
  };
  const replicas = new Map<string, number>();
  const acts = Array.from({ length: 40 }, (_, index): ScenarioStep['act'] => {
    const names = [...replicas.keys()];
    const name = names[draw(Math.max(names.length, 1))];
    const count = 5 + draw(40);
    const choice = draw(10);
    if (name === undefined || choice < 5) {
      replicas.set(`churn-${index}`, count);
      const { cpu = '250m', memory = '1Gi' } = CHART_SIZES[draw(CHART_SIZES.length)] ?? {};
      return deploy({ name: `churn-${index}`, replicas: count, cpu, memory });
    }
    if (choice < 8) {
      replicas.set(name, count);
      return (hands) => hands.scale(name, count);
    }
    replicas.delete(name);
    return (hands) => hands.remove(name);
  });
  const left = [...replicas.values()].reduce((sum, count) => sum + count, 0);
  return [
    ...acts.map((act): ScenarioStep => ({ act, until: { kind: 'pause', ms: CHURN_EVERY_MS } })),
    { act: () => Promise.resolve(), until: settled(left) },
  ];
};

const churn: BenchScenario = { name: 'churn', setUp: aPool(), steps: churnSteps() };

const SCALE_LIMIT_MS = 40 * 60_000;
/** The original may search for four minutes before its first command: one for several nodes, three for each alone. */
const SCALE_QUIET_MS = 6 * 60_000;
const scaleNames = Array.from({ length: 20 }, (_, index) => `scale-${index}`);

/** 1,000 nodes of four cpus with ten pods each, then half of the pods. */
const scale: BenchScenario = {
  name: 'scale',
  isLarge: true,
  rates: { perSecond: 300, burst: 600 },
  setUp: aPool([chosenOf('karpenter.kwok.sh/instance-cpu', '4')]),
  steps: [
    {
      act: deploy(...scaleNames.map((name) => ({ name, replicas: 500, cpu: '380m', memory: '500Mi' }))),
      until: bound(10_000),
      limitMs: SCALE_LIMIT_MS,
    },
    { act: scaleAll(scaleNames, 250), until: settled(5000), limitMs: SCALE_LIMIT_MS, quietMs: SCALE_QUIET_MS },
  ],
};

/** In the order in which they run. */
export const benchScenarios: readonly BenchScenario[] = [ramp, solitary, ragged, charts, drift, churn, scale];
