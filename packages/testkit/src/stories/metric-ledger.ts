import type { Metrics } from '@karpenter/core/controllers';
import type { MetricLabels, MetricSpec, Reading } from '@karpenter/core/internal';
import { getOrMake } from '@karpenter/core/internal';

/** `name{label="value",...}`, labels in the order of their names. */
const seriesOf = (name: string, labels: MetricLabels = {}): string => {
  const texts = Object.entries(labels)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([label, value]) => `${label}="${value}"`);
  return `${name}{${texts.join(',')}}`;
};

/** A metric as a scrape describes it: its labels with the values that were seen. */
export interface ScrapedMetric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: ReadonlyMap<string, Set<string>>;
}

const note = ({ labels: known }: ScrapedMetric, labels: MetricLabels): void => {
  for (const [label, value] of Object.entries(labels)) known.get(label)?.add(value);
};

/**
 * Metrics that remember what was counted since they were last read, and show what gauges say. They note in `scraped`
 * which series there were; several ledgers may share it.
 */
export class MetricLedger {
  readonly #counts = new Map<string, number>();
  readonly #gauges = new Map<string, () => Iterable<Reading>>();
  readonly #scraped: Map<string, ScrapedMetric>;

  constructor(scraped: Map<string, ScrapedMetric> = new Map()) {
    this.#scraped = scraped;
  }

  readonly metrics: Metrics = {
    counter: (spec) => {
      const see = this.#noting('counter', spec);
      return {
        increment: (labels, by = 1) => {
          see(labels);
          this.#count(seriesOf(spec.name, labels), by);
        },
      };
    },
    gauge: (spec, read) => {
      const see = this.#noting('gauge', spec);
      if (read !== undefined) this.#gauges.set(spec.name, read);
      return { set: (_value, labels) => see(labels) };
    },
    histogram: (spec) => {
      const see = this.#noting('histogram', spec);
      return {
        observe: (_value, labels) => {
          see(labels);
          this.#count(`${seriesOf(spec.name, labels)} observations`, 1);
        },
      };
    },
  };

  #noting(type: ScrapedMetric['type'], { name, labelNames }: MetricSpec): (labels?: MetricLabels) => void {
    const metric = getOrMake(this.#scraped, name, () => ({ type, labels: new Map(labelNames.map((label) => [label, new Set<string>()])) }));
    return (labels = {}) => note(metric, labels);
  }

  /** Reads all gauges, as a scrape does. */
  scrape(): void {
    for (const [name, read] of this.#gauges) {
      const metric = this.#scraped.get(name);
      if (metric !== undefined) for (const { labels } of read()) note(metric, labels);
    }
  }

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
