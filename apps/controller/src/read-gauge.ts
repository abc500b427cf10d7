import type { Reading } from '@karpenter/core/internal';
import { Gauge, type GaugeConfiguration, type MetricObjectWithValues, type MetricValue, Registry } from 'prom-client';

type Values = MetricValue<string>[];

/** A gauge with these series and no other. */
class SliceGauge extends Gauge {
  readonly #values: Values;

  constructor(configuration: GaugeConfiguration<string>, values: Values) {
    super(configuration);
    this.#values = values;
  }

  override async get(): Promise<MetricObjectWithValues<MetricValue<string>>> {
    return { ...(await super.get()), values: this.#values };
  }
}

/** The lines that say what a metric is. */
const HEADER = /^.*\n.*\n/;

/** A gauge that keeps nothing: its series are read when the registry is. */
export class ReadGauge extends Gauge {
  readonly #configuration: GaugeConfiguration<string>;
  readonly #read: () => Iterable<Reading>;

  constructor(configuration: GaugeConfiguration<string>, read: () => Iterable<Reading>) {
    super(configuration);
    this.#configuration = configuration;
    this.#read = read;
  }

  override async get(): Promise<MetricObjectWithValues<MetricValue<string>>> {
    return { ...(await super.get()), values: Array.from(this.#read(), ({ labels, value }) => ({ labels, value })) };
  }

  /**
   * What it shows, as the registry writes it, in pieces of so many series; the first begins with the header. Each ends
   * on a line.
   */
  async *pieces(size: number): AsyncIterable<string> {
    let values: Values = [];
    let isFirst = true;
    const piece = async (): Promise<string> => {
      const registry = new Registry();
      registry.registerMetric(new SliceGauge({ ...this.#configuration, registers: [] }, values));
      const text = await registry.metrics();
      return isFirst ? text : text.replace(HEADER, '');
    };
    for (const { labels, value } of this.#read()) {
      values.push({ labels, value });
      if (values.length < size) continue;
      yield piece();
      isFirst = false;
      values = [];
    }
    if (isFirst || values.length > 0) yield piece();
  }
}
