import type { Clock } from '@karpenter/runtime';
import type { AssembledController } from '../../../../apps/controller/src/controller.ts';

/** What a process has used since it was last asked. JSON. */
export interface UsageSample {
  /** 95th percentile and highest of resident memory, sampled every five seconds of the cluster's clock. */
  readonly p95ResidentBytes: number;
  readonly peakResidentBytes: number;
  readonly cpuSeconds: number;
  /** Verb (`create`, `patch`, …) → requests to the API server that ended. */
  readonly requests: Readonly<Record<string, number>>;
}

const SAMPLE_MS = 5000;
const REQUESTS = 'rest_client_requests_total';

type Registry = AssembledController['registry'];
type Counts = Readonly<Record<string, number>>;

const percentile95 = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;

const requestsIn = async (registry: Registry): Promise<Counts> => {
  const counts: Record<string, number> = {};
  const { values = [] } = (await registry.getSingleMetric(REQUESTS)?.get()) ?? {};
  for (const { labels, value } of values) {
    const [verb = ''] = String(labels['operation']).split(' ');
    counts[verb] = (counts[verb] ?? 0) + value;
  }
  return counts;
};

const since = (before: Counts, now: Counts): Counts =>
  Object.fromEntries(
    Object.entries(now)
      .map(([verb, count]) => [verb, count - (before[verb] ?? 0)] as const)
      .filter(([, count]) => count > 0)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );

/** What this process itself uses; its requests are those that the registry counts. */
export class OwnUsage {
  readonly #clock: Clock;
  readonly #registry: Registry;
  #residentBytes: number[] = [];
  #cpu = process.cpuUsage();
  #requests: Counts = {};

  constructor(clock: Clock, registry: Registry) {
    this.#clock = clock;
    this.#registry = registry;
    this.#sample();
  }

  /** What was used since the last call. */
  async take(): Promise<UsageSample> {
    const samples = [...this.#residentBytes, process.memoryUsage.rss()];
    const { user, system } = process.cpuUsage(this.#cpu);
    const requests = await requestsIn(this.#registry);
    const usage = {
      p95ResidentBytes: percentile95(samples),
      peakResidentBytes: Math.max(...samples),
      cpuSeconds: (user + system) / 1e6,
      requests: since(this.#requests, requests),
    };
    this.#residentBytes = [];
    this.#cpu = process.cpuUsage();
    this.#requests = requests;
    return usage;
  }

  #sample(): void {
    this.#residentBytes.push(process.memoryUsage.rss());
    this.#clock.setTimeout(() => this.#sample(), SAMPLE_MS);
  }
}
