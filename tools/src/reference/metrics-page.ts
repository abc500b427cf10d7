import { cell, code, generated, markdownTable } from './markdown.ts';

/** A metric as the registry knows it. */
export interface KnownMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

const rowOf = ({ name, type, labelNames, help }: KnownMetric): readonly string[] => [
  code(name),
  type,
  labelNames.map(code).join(', '),
  cell(help),
];

const groups: readonly (readonly [string, (name: string) => boolean])[] = [
  ['Of Karpenter', (name) => name.startsWith('karpenter_')],
  ['Of the conditions of its objects', (name) => name.startsWith('operator_')],
  ['Of the controller’s own work', () => true],
];

const differencesOf = (differences: ReadonlyMap<string, string>): string =>
  `## Of the Go original, and not here or not the same\n\n${markdownTable(
    ['Metric', 'Why'],
    Array.from(differences, ([name, why]) => [code(name), cell(why)]),
  )}\n`;

/** The reference of everything that `/metrics` shows, and of what it shows otherwise than the original: metric → why. */
export const metricsPage = (metrics: readonly KnownMetric[], differences: ReadonlyMap<string, string>): string => {
  const sections = groups.map(([title, isIn], index) => {
    const earlier = groups.slice(0, index);
    const own = metrics.filter(({ name }) => isIn(name) && !earlier.some(([, isEarlier]) => isEarlier(name)));
    return `## ${title}\n\n${markdownTable(
      ['Metric', 'Type', 'Labels', 'Meaning'],
      own.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map(rowOf),
    )}\n`;
  });
  return `${generated}# Metrics

The controller serves its metrics at \`/metrics\` on the port of \`--metrics-port\`. Names, types and labels of \`karpenter_*\` and \`operator_*\` are the Go original's. A test compares them, and
[the last table](#of-the-go-original-and-not-here-or-not-the-same) has the exceptions. The values of \`method\` and \`result\` are the original's, too. \`error\` names more than the two failures that the original distinguishes. As in the original, \`controller\` of
\`karpenter_cloudprovider_*\` is empty for calls that no controller makes, such as those at the start. Of the metrics of client-go and controller-runtime, the last but one table has those that mean something here; \`client_go_request_*\` is not among them. Histograms of
durations have 23 buckets, where the original has 45. The names without a kind that the original keeps for old dashboards (\`operator_status_condition_*\`) are not here. The flag \`--disable-cluster-state-observability\` leaves out the series of single nodes, pods and conditions.

Core reads some metrics at a scrape: limits and usage of pools, their costs and budgets, and all of single nodes, pods, buffers and conditions. These have no series on replicas that do not lead. They also have none for ten minutes [after two processes in a row ended while they read them](../adr/0035-plans-leave-a-mark.md). Then dashboards show gaps, alerts on absence may fire, and the log of the next process names \`metrics\`.

${sections.join('\n')}
${differencesOf(differences)}`;
};
