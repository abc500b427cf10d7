import type { MetricLabels, Metrics, Reading } from '@karpenter/core/controllers';

/** `name{label="value",...}`, labels in the order of their names. */
const seriesOf = (name: string, labels: MetricLabels = {}): string => {
  const texts = Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, value]) => `${label}="${value}"`);
  return `${name}{${texts.join(',')}}`;
};

/** Metrics that remember what was counted since they were last read, and show what gauges say. */
export class MetricLedger {
  readonly #counts = new Map<string, number>();
  readonly #gauges = new Map<string, () => Iterable<Reading>>();

  readonly metrics: Metrics = {
    counter: ({ name }) => ({ increment: (labels, by = 1) => this.#count(seriesOf(name, labels), by) }),
    gauge: ({ name }, read) => {
      if (read !== undefined) this.#gauges.set(name, read);
      return { set: () => undefined };
    },
    histogram: ({ name }) => ({ observe: (_value, labels) => this.#count(`${seriesOf(name, labels)} observations`, 1) }),
  };

  #count(series: string, by: number): void {
    this.#counts.set(series, (this.#counts.get(series) ?? 0) + by);
  }

  /** The series of a gauge that is read, as they stand. */
  shown(name: string): Readonly<Record<string, number>> {
    return Object.fromEntries([...(this.#gauges.get(name)?.() ?? [])].map(({ labels, value }) => [seriesOf(name, labels), value]));
  }

  /**
   * Series that match → by how much they have grown, without those that have not; a histogram by its observations.
   * Forgets all growth.
   */
  take(pattern: RegExp): Readonly<Record<string, number>> {
    const grown = [...this.#counts].filter(([series, by]) => by !== 0 && pattern.test(series));
    this.#counts.clear();
    return Object.fromEntries(grown);
  }
}
