import type { NodeRow, NodesAnswer, NodeTotals } from '../answer/node-rows.ts';
import { age, cores, countText, gibibytes, money, percentText, rate } from './amounts.ts';
import { bar, countBar } from './bar.ts';
import { paint, type Paper } from './paper.ts';
import { type TextColumn, table } from './table.ts';

const shareText = ({ requested, allocatable }: { readonly requested: number; readonly allocatable: number }): string =>
  percentText(allocatable > 0 ? requested / allocatable : 0);

const stateStyles = {
  launching: 'cyan',
  starting: 'cyan',
  ready: 'green',
  'not ready': 'red',
  cordoned: 'yellow',
  drifted: 'yellow',
  leaving: 'magenta',
} as const;

/** The name of a size without what all sizes of Azure begin with. */
const sizeText = (instanceType: string): string => instanceType.replace(/^Standard_/, '');

const columnsOf = (paper: Paper): readonly TextColumn<NodeRow>[] => [
  { title: 'NODE', cell: ({ name }) => name },
  { title: 'POOL', cell: ({ nodePool = '-' }) => nodePool, rank: 4 },
  { title: 'SIZE', cell: ({ instanceType }) => sizeText(instanceType) || '-', rank: 2 },
  { title: 'ZONE', cell: ({ zone }) => zone || '-', rank: 6 },
  { title: 'CAPACITY', cell: ({ capacityType }) => capacityType || '-', rank: 5 },
  { title: 'AGE', cell: ({ ageSeconds }) => (ageSeconds === undefined ? '-' : age(ageSeconds)), align: 'right', rank: 7 },
  { title: 'CPU', cell: ({ cpu }) => bar(cpu, paper), align: 'right' },
  { title: 'MEMORY', cell: ({ memory }) => bar(memory, paper), align: 'right' },
  { title: 'PODS', cell: ({ pods }) => countBar(pods, paper), align: 'right', rank: 3 },
  { title: '$/H', cell: ({ pricePerHour }) => (pricePerHour === undefined ? '?' : money(pricePerHour)), align: 'right' },
  { title: 'STATE', cell: ({ state }) => paint(paper, stateStyles[state], state) },
  { title: 'HELD BY', cell: ({ heldBy }) => heldBy, isElastic: true, rank: 1 },
];

/** `3 nodes · 42 pods, 2 pending · cpu 62% of 24 · memory 40% of 96Gi · $0.644/h ($470/month)`. */
export const totalsText = ({ nodes, pods, pendingPods, cpu, memory, pricePerHour, unknownPrices }: NodeTotals): string =>
  [
    countText(nodes, 'node'),
    pendingPods === 0 ? countText(pods, 'pod') : `${countText(pods, 'pod')}, ${pendingPods} pending`,
    `cpu ${shareText(cpu)} of ${cores(cpu.allocatable)}`,
    `memory ${shareText(memory)} of ${gibibytes(memory.allocatable)}`,
    rate(pricePerHour),
    ...(unknownPrices === 0 ? [] : [`${countText(unknownPrices, 'price')} not known`]),
  ].join(' · ');

/** The table of the first nodes, and the totals of all. */
export const nodesText = ({ nodes, totals }: NodesAnswer, paper: Paper, shown = nodes.length): string => {
  const total = paint(paper, 'bold', totalsText(totals));
  if (nodes.length === 0) return `${total}\n`;
  const more = shown < nodes.length ? `\n${paint(paper, 'dim', `… and ${nodes.length - shown} more`)}` : '';
  return `${table(nodes.slice(0, shown), columnsOf(paper), paper)}${more}\n\n${total}\n`;
};
