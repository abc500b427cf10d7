import type { Clock, FinishedRequest } from '@karpenter/runtime';

/** What a process has used since it was last asked. JSON. */
export interface Usage {
  /** 95th percentile and highest of resident memory, sampled every five seconds of the cluster's clock. */
  readonly p95ResidentBytes: number;
  readonly peakResidentBytes: number;
  readonly cpuSeconds: number;
  /** Verb (`create`, `patch`, …) → requests to the API server that ended. */
  readonly requests: Readonly<Record<string, number>>;
}

const SAMPLE_MS = 5000;

const percentile95 = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1] ?? 0;

/** What this process itself uses. */
export class OwnUsage {
  readonly #clock: Clock;
  #residentBytes: number[] = [];
  #cpu = process.cpuUsage();
  #requests = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sample();
  }

  count({ operation }: FinishedRequest): void {
    const [verb = operation] = operation.split(' ');
    this.#requests.set(verb, (this.#requests.get(verb) ?? 0) + 1);
  }

  /** What was used since the last call. */
  take(): Usage {
    const samples = [...this.#residentBytes, process.memoryUsage.rss()];
    const { user, system } = process.cpuUsage(this.#cpu);
    const usage = {
      p95ResidentBytes: percentile95(samples),
      peakResidentBytes: Math.max(...samples),
      cpuSeconds: (user + system) / 1e6,
      requests: Object.fromEntries([...this.#requests].sort(([a], [b]) => (a < b ? -1 : 1))),
    };
    this.#residentBytes = [];
    this.#cpu = process.cpuUsage();
    this.#requests = new Map();
    return usage;
  }

  #sample(): void {
    this.#residentBytes.push(process.memoryUsage.rss());
    this.#clock.setTimeout(() => this.#sample(), SAMPLE_MS);
  }
}
