import { typesIn } from './scraped-metrics.ts';

/** What a scrape says. Series, as `name{label="value"}` in the order of labels → value. */
export interface ScrapedValues {
  /** Counters, and the observations of histograms and summaries. */
  readonly counts: Readonly<Record<string, number>>;
  /** Gauges; those of times by the number of their series. */
  readonly gauges: Readonly<Record<string, number>>;
}

const OWN = /^(?:karpenter|operator)_/;
/** Labels that name one object, of a size, or of a build: series that differ in them only are added up. */
const NAMES = /^(?:commit|goarch|goversion|instance_(?:cpu|family|memory|size)|name|namespace|node|node_name|owner|scheduling_id|version)$/;
const IS_TIME = /_seconds$/;

const byName = (values: ReadonlyMap<string, number>): Readonly<Record<string, number>> =>
  Object.fromEntries([...values].filter(([, value]) => value !== 0).sort(([a], [b]) => (a < b ? -1 : 1)));

/** A label without a value is no label. */
const labelsOf = (inBraces: string): string =>
  [...inBraces.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
    .filter(([, label = '', value]) => value !== '' && !NAMES.test(label))
    .map(([text]) => text)
    .sort()
    .join(',');

/** A metric, and the names of all its labels. */
export interface MetricShape {
  readonly type: string;
  readonly labels: readonly string[];
}

/** Labels that the text format adds. */
const OF_FORMAT = new Set(['le', 'quantile']);

/** The metrics of Karpenter in scrapes, by name; a label counts where any series has it. */
export const metricShapes = (texts: readonly string[]): Readonly<Record<string, MetricShape>> => {
  const types = new Map(texts.flatMap((text) => [...typesIn(text)]).filter(([name]) => OWN.test(name)));
  const labels = new Map([...types.keys()].map((name) => [name, new Set<string>()]));
  for (const [, sample = '', inBraces = ''] of texts.flatMap((text) => [...text.matchAll(/^([a-z]\w*)\{(.*)\} \S+$/gm)])) {
    const known = labels.get(types.has(sample) ? sample : sample.replace(/_(?:bucket|sum|count)$/, ''));
    for (const [, label = ''] of inBraces.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) if (!OF_FORMAT.has(label)) known?.add(label);
  }
  return Object.fromEntries([...types].sort().map(([name, type]) => [name, { type, labels: [...(labels.get(name) ?? [])].sort() }]));
};

/** Samples of Karpenter: name, labels and value. */
const samplesIn = (text: string): readonly (readonly [sample: string, labels: string, value: number])[] =>
  [...text.matchAll(/^([a-z]\w*)(?:\{(.*)\})? (\S+)$/gm)]
    .filter(([, sample = '']) => OWN.test(sample))
    .map(([, sample = '', inBraces = '', value = '']) => [sample, labelsOf(inBraces), Number(value)]);

/** The series of Karpenter in a scrape in Prometheus' text format, without those at zero. */
export const scrapedValues = (text: string): ScrapedValues => {
  const types = typesIn(text);
  const [counts, gauges] = [new Map<string, number>(), new Map<string, number>()];
  const add = (values: Map<string, number>, series: string, by: number): void => void values.set(series, (values.get(series) ?? 0) + by);
  for (const [sample, labels, value] of samplesIn(text)) {
    const observed = sample.replace(/_count$/, '');
    const type = types.get(sample);
    if (type === 'counter') add(counts, `${sample}{${labels}}`, value);
    else if (type === 'gauge') add(gauges, `${sample}{${labels}}`, IS_TIME.test(sample) ? 1 : value);
    else if (observed !== sample && types.has(observed)) add(counts, `${observed}{${labels}} observations`, value);
  }
  return { counts: byName(counts), gauges: byName(gauges) };
};

/** What a step added to the counts, and the gauges after it. */
export const growthOf = (before: ScrapedValues, after: ScrapedValues): ScrapedValues => {
  const grown = Object.entries(after.counts).map(([series, count]): [string, number] => [series, count - (before.counts[series] ?? 0)]);
  return { counts: byName(new Map(grown)), gauges: after.gauges };
};
