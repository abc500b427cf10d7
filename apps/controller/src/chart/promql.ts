import { parser } from '@prometheus-io/lezer-promql';

/** A metric that a query reads, with the labels by which it is selected. */
export interface SelectedMetric {
  readonly name: string;
  readonly labels: readonly string[];
}

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

/** What a PromQL query is about. */
export interface Query {
  readonly metrics: readonly SelectedMetric[];
  /** Labels that it groups by. */
  readonly groupedBy: readonly string[];
}

/** Reads a query as Prometheus would; variables of Grafana are periods. Throws if the text is no query. */
export const readQuery = (expression: string): Query => {
  const text = expression.replaceAll('$__rate_interval', '5m');
  const textOf = (node: SyntaxNode): string => text.slice(node.from, node.to);
  const below = (top: SyntaxNode, name: string): readonly string[] => {
    const found: string[] = [];
    top.cursor().iterate((node) => {
      if (node.name === name && node.from >= top.from && node.to <= top.to) found.push(textOf(node.node));
    });
    return found;
  };
  const metrics: SelectedMetric[] = [];
  const groupedBy: string[] = [];
  parser.parse(text).iterate({
    enter: ({ name, type, node }) => {
      if (type.isError) throw new Error(`${expression}: not understood at "${text.slice(node.from)}"`);
      if (name === 'VectorSelector') metrics.push({ name: below(node, 'Identifier')[0] ?? '', labels: below(node, 'LabelName') });
      if (name === 'GroupingLabels') groupedBy.push(...below(node, 'LabelName'));
    },
  });
  return { metrics, groupedBy };
};
