import type { HeldNodes, Move, SavingsAnswer } from '../answer/savings-answer.ts';
import { countText, money, percentText, rate } from './amounts.ts';
import { paint, type Paper } from './paper.ts';
import { type TextColumn, table } from './table.ts';

/** `a, b +3`. */
export const shortList = (names: readonly string[]): string => {
  const types = [...Map.groupBy(names, (name) => name)].map(([name, { length }]) => (length > 1 ? `${length} × ${name}` : name));
  return types.length > 3 ? `${types.slice(0, 3).join(', ')} +${types.length - 3}` : types.join(', ');
};

const moveColumns: readonly TextColumn<Move>[] = [
  { title: 'SAVES $/H', cell: ({ savingsPerHour }) => money(savingsPerHour), align: 'right' },
  { title: 'REASON', cell: ({ reason }) => reason.toLowerCase() },
  { title: 'GOES', cell: ({ nodes }) => shortList(nodes), isElastic: true },
  { title: 'COMES', cell: ({ replacements }) => shortList(replacements) || '-', rank: 1 },
];

const heldColumns: readonly TextColumn<HeldNodes>[] = [
  { title: '$/H', cell: ({ pricePerHour }) => money(pricePerHour), align: 'right' },
  { title: 'STAYS BECAUSE OF', cell: ({ heldBy }) => heldBy, isElastic: true },
  { title: 'NODES', cell: ({ nodes }) => shortList(nodes), isElastic: true },
];

/** Why the other nodes stay; empty where none does. */
export const heldText = ({ held }: Pick<SavingsAnswer, 'held'>, paper: Paper): string =>
  held.length === 0 ? '' : `\n${table(held, heldColumns, paper)}\n`;

const MOVES_SHOWN = 20;

const movesText = ({ moves }: SavingsAnswer, paper: Paper): string => {
  if (moves.length === 0) return 'Consolidation has no move now.\n';
  const more = moves.length > MOVES_SHOWN ? `… and ${moves.length - MOVES_SHOWN} more moves\n` : '';
  return `${table(moves.slice(0, MOVES_SHOWN), moveColumns, paper)}\n${more}`;
};

/** `" (44%)"`: a share of a price, to put after it. */
export const savedShare = (saved: number, price: number): string => (price > 0 ? ` (${percentText(saved / price)})` : '');

const repackedText = ({ repacked: { nodes, pricePerHour: price, unplacedPods }, pricePerHour }: SavingsAnswer): string => {
  const unplaced = unplacedPods === 0 ? '' : `, ${countText(unplacedPods, 'pod')} without a place`;
  return `Packed again from nothing: ${countText(nodes, 'node')}, ${rate(price)}${savedShare(pricePerHour - price, pricePerHour)}${unplaced}.`;
};

export const savingsText = (answer: SavingsAnswer, paper: Paper): string => {
  const { pricePerHour, afterPerHour } = answer;
  const saved = pricePerHour - afterPerHour;
  const total = paint(
    paper,
    'bold',
    `Now ${rate(pricePerHour)}, after consolidation ${rate(afterPerHour)}: saves ${money(saved)}/h${savedShare(saved, pricePerHour)}`,
  );
  return `${movesText(answer, paper)}${heldText(answer, paper)}\n${total}\n${repackedText(answer)}\n`;
};
