import type { Alternative, PlanAnswer } from '../answer/plan-answer.ts';
import type { PlannedNodes, PlanSummary, RelaxedGroup, Unplaced } from '../answer/plan-summary.ts';
import { countText, money, percentText, podAndOthers, rate, zoneText } from './amounts.ts';
import { paint, type Paper } from './paper.ts';
import { type TextColumn, table } from './table.ts';

const nodeColumns: readonly TextColumn<PlannedNodes>[] = [
  { title: 'NEW NODES', cell: (nodes) => String(nodes.count), align: 'right' },
  { title: 'SIZE', cell: ({ instanceType }) => instanceType },
  { title: 'CAPACITY', cell: ({ capacityType }) => capacityType },
  { title: 'ZONE', cell: zoneText, rank: 2 },
  { title: 'POOL', cell: ({ nodePool }) => nodePool, rank: 1 },
  { title: 'PODS', cell: ({ pods }) => String(pods), align: 'right' },
  { title: '$/H', cell: ({ pricePerHour }) => money(pricePerHour), align: 'right' },
];

const UNPLACED_SHOWN = 10;

/** Pods that find no place, by their reasons. */
export const unplacedText = (unplaced: readonly Unplaced[], paper: Paper): string => {
  const groups = Map.groupBy(unplaced, ({ tree, why }) => (tree.length === 0 ? why : tree.join('\n')));
  return [...groups]
    .slice(0, UNPLACED_SHOWN)
    .map(([reason, pods]) => {
      const head = paint(paper, 'red', `No place for ${podAndOthers(pods[0]?.pod ?? '', pods.length)}`);
      return `${head}\n${reason}\n`;
    })
    .join('\n');
};

/** Preferences that pods are placed without, as branches of a tree. */
export const relaxedTree = (why: readonly string[]): string =>
  why.map((line, index) => `${index === why.length - 1 ? '└─' : '├─'} ${line}\n`).join('');

const RELAXED_SHOWN = 10;

const relaxedText = (relaxed: readonly RelaxedGroup[], paper: Paper): string => {
  const rest = relaxed.length > RELAXED_SHOWN ? `and ${countText(relaxed.length - RELAXED_SHOWN, 'other group')} of pods\n` : '';
  const groups = relaxed
    .slice(0, RELAXED_SHOWN)
    .map(({ pod, pods, why }) => `${paint(paper, 'yellow', `Preferences relaxed for ${podAndOthers(pod, pods)}`)}\n${relaxedTree(why)}`);
  return [...groups, rest].join('');
};

/** The new nodes, the pods on nodes that stand, preferences that pods are placed without, and pods without a place. */
export const planSummaryText = ({ nodes, onExistingNodes, unplaced, relaxed }: PlanSummary, paper: Paper): string => {
  const existing = Object.values(onExistingNodes);
  const placed = existing.reduce((sum, each) => sum + each, 0);
  return [
    ...(nodes.length === 0 ? [] : [`${table(nodes, nodeColumns, paper)}\n`]),
    ...(placed === 0
      ? []
      : [`${countText(placed, 'pod')} on ${countText(existing.length, 'node')} that ${existing.length === 1 ? 'stands' : 'stand'}\n`]),
    ...(relaxed.length === 0 ? [] : [relaxedText(relaxed, paper)]),
    ...(unplaced.length === 0 ? [] : [unplacedText(unplaced, paper)]),
  ].join('\n');
};

const changeText = (price: number, base: number): string => {
  if (base === 0) return '';
  const change = price / base - 1;
  return Math.abs(change) < 0.005 ? 'same' : `${change > 0 ? '+' : '-'}${percentText(Math.abs(change))}`;
};

const alternativesTable = ({ alternatives, plan }: PlanAnswer, paper: Paper): string =>
  table<Alternative>(
    alternatives,
    [
      { title: 'INSTEAD', cell: ({ name }) => name },
      { title: 'NODES', cell: ({ nodes }) => String(nodes), align: 'right' },
      { title: '$/H', cell: ({ pricePerHour }) => money(pricePerHour), align: 'right' },
      { title: 'CHANGE', cell: ({ pricePerHour }) => changeText(pricePerHour, plan.pricePerHour), align: 'right' },
      { title: 'NO PLACE', cell: ({ unplacedPods }) => (unplacedPods === 0 ? '' : countText(unplacedPods, 'pod')) },
    ],
    paper,
  );

const boundText = ({ plan, leastPricePerHour }: PlanAnswer): string => {
  if (leastPricePerHour === 0 || Object.keys(plan.onExistingNodes).length > 0 || plan.unplaced.length > 0) return '';
  const above = plan.pricePerHour / leastPricePerHour - 1;
  return `, ${percentText(Math.max(0, above))} above the lower bound of ${money(leastPricePerHour)}/h`;
};

export const planText = (answer: PlanAnswer, paper: Paper): string => {
  const { pods, plan, alternatives } = answer;
  const nodes = plan.nodes.reduce((sum, each) => sum + each.count, 0);
  const total = paint(paper, 'bold', `${countText(pods, 'pod')} · ${countText(nodes, 'new node')} · ${rate(plan.pricePerHour)}`);
  const others = alternatives.length === 0 ? '' : `\n${alternativesTable(answer, paper)}\n`;
  return `${planSummaryText(plan, paper)}\n${total}${boundText(answer)}\n${others}`.replaceAll('\n\n\n', '\n\n');
};
