import type { MetricLabels, Metrics } from '@karpenter/core/controllers';

/** `name{label="value",...}`, labels in the order of their names. */
const seriesOf = (name: string, labels: MetricLabels = {}): string => {
  const texts = Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, value]) => `${label}="${value}"`);
  return `${name}{${texts.join(',')}}`;
};

/** Metrics that remember what was counted since somebody looked last. */
export class MetricLedger {
  readonly #counts = new Map<string, number>();

  readonly metrics: Metrics = {
    counter: ({ name }) => ({ increment: (labels, by = 1) => this.#count(seriesOf(name, labels), by) }),
    gauge: () => ({ set: () => undefined }),
    histogram: ({ name }) => ({ observe: (_value, labels) => this.#count(`${seriesOf(name, labels)} observations`, 1) }),
  };

  #count(series: string, by: number): void {
    this.#counts.set(series, (this.#counts.get(series) ?? 0) + by);
  }

  /** Series that match → by how much they have grown, without those that have not; a histogram by its observations. Forgets all growth. */
  take(pattern: RegExp): Readonly<Record<string, number>> {
    const grown = [...this.#counts].filter(([series, by]) => by !== 0 && pattern.test(series));
    this.#counts.clear();
    return Object.fromEntries(grown);
  }
}
