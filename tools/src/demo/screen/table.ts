import type { NodeSight, PodCounts, Sight } from './sight.ts';
import { ageLabel, countLabel, dollarLabel, percentLabel } from './text.ts';

interface Column {
  readonly title: string;
  readonly right?: boolean;
  readonly cell: (node: NodeSight) => string;
}

const columnsOf = (name: Column['cell'], sku: Column['cell']): readonly Column[] => [
  { title: 'NODE', cell: name },
  { title: 'STATE', cell: (node) => node.phase },
  { title: 'SKU', cell: (node) => sku(node) || '–' },
  { title: 'ZONE', cell: (node) => node.zone || '–' },
  { title: 'CAPACITY', cell: (node) => node.capacityType || '–' },
  { title: 'AGE', right: true, cell: (node) => ageLabel(node.ageMs) },
  { title: 'PODS', right: true, cell: (node) => String(node.pods) },
  { title: 'CPU', right: true, cell: (node) => percentLabel(node.cpuShare) },
  { title: '$/H', right: true, cell: (node) => dollarLabel(node.pricePerHour) },
];

const shortSku = ({ sku }: NodeSight): string => sku.replace(/^Standard_/, '');
const shortName = ({ name }: NodeSight): string => `…${name.slice(name.lastIndexOf('-') + 1)}`;

/** From roomy to narrow. No layout leaves a column out: names lose what all of them begin with. */
const layouts: readonly { readonly columns: readonly Column[]; readonly gap: string }[] = [
  {
    columns: columnsOf(
      ({ name }) => name,
      ({ sku }) => sku,
    ),
    gap: '  ',
  },
  { columns: columnsOf(({ name }) => name, shortSku), gap: '  ' },
  { columns: columnsOf(shortName, shortSku), gap: '  ' },
  { columns: columnsOf(shortName, shortSku), gap: ' ' },
];

/** Dollars an hour of all nodes whose price is known. */
export const pricePerHourOf = (sight: Sight): number => sight.nodes.reduce((sum, node) => sum + (node.pricePerHour ?? 0), 0);

/** `60 pods: 6 pending, 21 starting, 33 running`, and how many ended where any did. */
const podsText = ({ pending, starting, running, ended }: PodCounts): string => {
  const states = [`${pending} pending`, `${starting} starting`, `${running} running`, ...(ended === 0 ? [] : [`${ended} ended`])];
  return `${countLabel(pending + starting + running + ended, 'pod')}: ${states.join(', ')}`;
};

/** One line: pods, nodes, price. */
export const headline = (sight: Sight): string =>
  `${podsText(sight.pods)} · ${countLabel(sight.nodes.length, 'node')} · ${dollarLabel(pricePerHourOf(sight))}/h`;

const laidOut = (nodes: readonly NodeSight[], { columns, gap }: (typeof layouts)[number]): readonly string[] => {
  const rows = [columns.map(({ title }) => title), ...nodes.map((node) => columns.map(({ cell }) => cell(node)))];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const align = (text: string, index: number): string =>
    columns[index]?.right ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0);
  return rows.map((row) => row.map(align).join(gap).trimEnd());
};

const bounded = (lines: readonly string[], height: number): readonly string[] =>
  lines.length <= height
    ? lines
    : [...lines.slice(0, Math.max(0, height - 1)), `… and ${countLabel(lines.length - Math.max(1, height - 1), 'more node')}`];

/**
 * The nodes as aligned lines, a title line first; no line at all when there are none. Takes the roomiest layout of at
 * most `width` characters, or the narrowest there is, and says how many nodes stand below the `height` lines.
 */
export const nodeTable = (
  nodes: readonly NodeSight[],
  { width, height }: { readonly width: number; readonly height: number },
): readonly string[] => {
  if (nodes.length === 0) return [];
  const candidates = layouts.map((layout) => laidOut(nodes, layout));
  const fits = (lines: readonly string[]): boolean => lines.every((line) => line.length <= width);
  return bounded(candidates.find(fits) ?? candidates.at(-1) ?? [], height);
};
