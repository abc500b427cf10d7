import type { NodeSight, Sight } from './sight.ts';
import { count, dollars, duration, percent } from './text.ts';

const columns: readonly { readonly title: string; readonly right?: boolean; readonly cell: (node: NodeSight) => string }[] = [
  { title: 'NODE', cell: (node) => node.name },
  { title: 'STATE', cell: (node) => node.phase },
  { title: 'SKU', cell: (node) => node.sku || '–' },
  { title: 'ZONE', cell: (node) => node.zone || '–' },
  { title: 'CAPACITY', cell: (node) => node.capacityType || '–' },
  { title: 'AGE', right: true, cell: (node) => duration(node.ageMs) },
  { title: 'PODS', right: true, cell: (node) => String(node.pods) },
  { title: 'CPU', right: true, cell: (node) => percent(node.cpuShare) },
  { title: '$/H', right: true, cell: (node) => dollars(node.pricePerHour) },
];

/** Dollars an hour of all nodes whose price is known. */
export const pricePerHourOf = (sight: Sight): number => sight.nodes.reduce((sum, node) => sum + (node.pricePerHour ?? 0), 0);

/** One line: pods, nodes, price. */
export const headline = (sight: Sight): string =>
  `${count(sight.pods.pending, 'pod')} pending · ${sight.pods.running} running · ${count(sight.nodes.length, 'node')} · ${dollars(pricePerHourOf(sight))}/h`;

/** The nodes as aligned lines, a title line first; no line at all when there are none. */
export const nodeTable = (nodes: readonly NodeSight[]): readonly string[] => {
  if (nodes.length === 0) return [];
  const rows = [columns.map(({ title }) => title), ...nodes.map((node) => columns.map(({ cell }) => cell(node)))];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const align = (text: string, index: number): string =>
    columns[index]?.right ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0);
  return rows.map((row) => row.map(align).join('  ').trimEnd());
};
