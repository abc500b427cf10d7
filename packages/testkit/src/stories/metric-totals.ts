import type { Metrics } from '@karpenter/core/controllers';
import type { MetricLabels, MetricSpec, Reading } from '@karpenter/core/internal';

/** Series, as `name{label="value"}` in the order of labels → value; none at zero. */
export type SeriesValues = Readonly<Record<string, number>>;

/** Labels that name one object, of a size, or of a build: series that differ in them only are added up. */
const NAMES =
  /^(?:commit|goarch|goversion|instance_(?:cpu|family|memory|size)|name|namespace|node|node_name|owner|region|scheduling_id|version)$/;
/** kwok states a phase of nodes, kubelets do not. */
const OF_NODES = /^karpenter_nodes_/;
const IS_TIME = /_seconds$/;
/** The class is another one on the embedded cluster. */
const labelName = (name: string): string => name.replace(/^.*nodeclass$/, 'nodeclass');
const metricName = (name: string): string => name.replace(/^operator_[a-z]*nodeclass_/, 'operator_nodeclass_');

/** The name of a series without the labels that say nothing, or name one object. */
const seriesOf = (name: string, labels: MetricLabels = {}): string => {
  const texts = Object.entries(labels)
    .filter(([label, value]) => value !== '' && !NAMES.test(label) && !(label === 'phase' && OF_NODES.test(name)))
    .map(([label, value]) => `${labelName(label)}="${value}"`);
  return `${metricName(name)}{${texts.sort().join(',')}}`;
};

const add = (values: Map<string, number>, series: string, by: number): void => void values.set(series, (values.get(series) ?? 0) + by);

/** Type of a recorded metric, and the names of all its labels. */
export interface RecordedLabels {
  readonly type: string;
  readonly labels: readonly string[];
}

/** Values of recorded metrics, in the form of `MetricTotals`, with the labels that the recording has. */
export const inFormOf = (metrics: Readonly<Record<string, RecordedLabels>>, values: SeriesValues): SeriesValues => {
  const labelsOf = new Map(Object.entries(metrics).map(([name, { labels }]) => [metricName(name), new Set(labels.map(labelName))]));
  const formed = new Map<string, number>();
  for (const [series, value] of Object.entries(values)) {
    const [, name = '', inBraces = '', rest = ''] = /^(\w+)\{(.*)\}( observations)?$/.exec(series) ?? [];
    const known = labelsOf.get(metricName(name));
    if (known === undefined) continue;
    const labels = [...inBraces.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
      ([, label = '', text = '']) => [labelName(label), text] as const,
    );
    add(formed, `${seriesOf(name, Object.fromEntries(labels.filter(([label]) => known.has(label))))}${rest}`, value);
  }
  return Object.fromEntries(formed);
};

const shownOf = (values: ReadonlyMap<string, number>): SeriesValues => Object.fromEntries([...values].filter(([, value]) => value !== 0));

/** Metrics by their values: what was counted since they were last read, and what gauges say. */
export class MetricTotals {
  /** Name → kind, of all metrics. */
  readonly types = new Map<string, 'counter' | 'gauge' | 'histogram'>();
  readonly #counts = new Map<string, number>();
  readonly #set = new Map<string, Reading & Pick<MetricSpec, 'name'>>();
  readonly #read = new Map<string, () => Iterable<Reading>>();

  readonly metrics: Metrics = {
    counter: ({ name }) => {
      this.types.set(metricName(name), 'counter');
      return { increment: (labels, by = 1) => add(this.#counts, seriesOf(name, labels), by) };
    },
    gauge: ({ name }, read) => {
      this.types.set(metricName(name), 'gauge');
      if (read !== undefined) this.#read.set(name, read);
      return { set: (value, labels = {}) => void this.#set.set(JSON.stringify([name, labels]), { name, labels, value }) };
    },
    histogram: ({ name }) => {
      this.types.set(metricName(name), 'histogram');
      return { observe: (_value, labels) => add(this.#counts, `${seriesOf(name, labels)} observations`, 1) };
    },
  };

  /** What has grown since the last call; a histogram by its observations. */
  growth(): SeriesValues {
    const grown = shownOf(this.#counts);
    this.#counts.clear();
    return grown;
  }

  /** Gauges as they stand; those of times by the number of their series. */
  gauges(): SeriesValues {
    const values = new Map<string, number>();
    const show = (name: string, { labels, value }: Reading): void => add(values, seriesOf(name, labels), IS_TIME.test(name) ? 1 : value);
    for (const each of this.#set.values()) show(each.name, each);
    for (const [name, read] of this.#read) for (const reading of read()) show(name, reading);
    return shownOf(values);
  }
}
