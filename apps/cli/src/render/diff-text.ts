import type { DiffAnswer } from '../answer/diff-answer.ts';
import { countText, money, rate } from './amounts.ts';
import { paint, type Paper } from './paper.ts';
import { planSummaryText, unplacedText } from './plan-text.ts';
import { table } from './table.ts';

const changeText = (before: number, after: number): string => {
  const change = after - before;
  if (Math.abs(change) < 0.0005) return 'the same';
  return `${money(Math.abs(change))}/h ${change > 0 ? 'more' : 'less'}`;
};

/** A difference, and the changed classes without a catalog: whether nodes drift by them is not known here. */
export type ShownDiff = DiffAnswer & { readonly driftUnknownFor: readonly string[] };

const driftText = ({ drifted, driftUnknownFor }: ShownDiff, paper: Paper): string => {
  if (drifted.length === 0) return driftUnknownFor.length === 0 ? 'No node drifts.\n' : '';
  const columns = [
    { title: 'DRIFTS', cell: ({ node }: (typeof drifted)[number]) => node },
    { title: 'REASON', cell: ({ reason }: (typeof drifted)[number]) => reason },
  ];
  return `${table(drifted, columns, paper)}\n`;
};

export const diffText = (answer: ShownDiff, paper: Paper): string => {
  const { plan, lostPods, gainedPods, pricePerHour, repacked, driftUnknownFor } = answer;
  const { before, after } = pricePerHour;
  const coming = planSummaryText({ ...plan, unplaced: [] }, paper);
  return [
    driftText(answer, paper),
    ...(driftUnknownFor.length === 0
      ? []
      : [`Not known: the nodes that drift by the changed ${driftUnknownFor.join(', ')}. No catalog here knows the provider.\n`]),
    ...(coming === '' ? [] : [`In their place, and for pods that wait:\n${coming}`]),
    ...(lostPods.length === 0 ? [] : [unplacedText(lostPods, paper)]),
    ...(gainedPods.length === 0
      ? []
      : [
          `${countText(gainedPods.length, 'pod')} that ${gainedPods.length === 1 ? 'waits' : 'wait'} would get a place: ${gainedPods.join(', ')}\n`,
        ]),
    paint(paper, 'bold', `Before ${rate(before)}, after ${rate(after)}: ${changeText(before, after)}`),
    `Packed again from nothing: before ${rate(repacked.before.pricePerHour)}, after ${rate(repacked.after.pricePerHour)}\n`,
  ].join('\n');
};
