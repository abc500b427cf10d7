/** A metric as a scrape describes it. Label → its values, where these are few and the same in every run. */
export interface RecordedMetric {
  readonly type: string;
  readonly labels: Readonly<Record<string, readonly string[]>>;
}

/** Labels whose values are names of things, or of this build. */
const NAMES =
  /^(?:arch|commit|goarch|goversion|instance_\w+|karpenter_\w+|name|namespace|node|node_name|nodepool|os|owner|ready|region|scheduled|scheduling_id|version|windows_build|zone)$/;
/** Conditions of nodes are what kubelets say. */
const OF_KUBELETS = /^operator_node_\w+ (?:reason|type)$/;
const OWN = /^(?:karpenter|operator)_/;
/** Labels that the text format adds. */
const OF_FORMAT = new Set(['le', 'quantile']);

/** Metric → type, in the order of the text. */
export const typesIn = (text: string): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]));

/** The metric that a sample belongs to: those of histograms and summaries have suffixes. */
const metricOf = (sample: string, types: ReadonlyMap<string, string>): string =>
  types.has(sample) ? sample : sample.replace(/_(?:bucket|sum|count)$/, '');

/** Sample and label → value, of each series of the text; an escaped quote is part of a value. */
function* labelsIn(text: string): Iterable<readonly [sample: string, label: string, value: string]> {
  for (const [, sample = '', inBraces = ''] of text.matchAll(/^([a-z]\w*)\{(.*)\} \S+$/gm))
    for (const [, label = '', value = ''] of inBraces.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g))
      if (!OF_FORMAT.has(label)) yield [sample, label, value];
}

const byName = <T>(entries: Iterable<readonly [string, T]>): readonly (readonly [string, T])[] =>
  [...entries].sort(([a], [b]) => (a < b ? -1 : 1));

/** The metrics of Karpenter in scrapes in Prometheus' text format, by name; several scrapes add up. */
export const scrapedMetrics = (texts: readonly string[]): Readonly<Record<string, RecordedMetric>> => {
  const types = new Map(texts.flatMap((text) => [...typesIn(text)]).filter(([name]) => OWN.test(name)));
  const labels = new Map([...types.keys()].map((name) => [name, new Map<string, Set<string>>()]));
  for (const [sample, label, value] of texts.flatMap((text) => [...labelsIn(text)])) {
    const name = metricOf(sample, types);
    const values = labels.get(name)?.get(label) ?? new Set();
    labels.get(name)?.set(label, values);
    if (!NAMES.test(label) && !OF_KUBELETS.test(`${name} ${label}`)) values.add(value);
  }
  const recorded = (name: string, type: string): RecordedMetric => {
    const known = byName(labels.get(name) ?? []).map(([label, values]) => [label, [...values].sort()] as const);
    return { type, labels: Object.fromEntries(known) };
  };
  return Object.fromEntries(byName(types).map(([name, type]) => [name, recorded(name, type)]));
};
