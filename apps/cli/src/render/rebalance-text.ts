import type { RebalanceAnswer, WaveAnswer } from '../answer/rebalance-answer.ts';
import { countText, money, rate } from './amounts.ts';
import { paint, type Paper } from './paper.ts';
import { heldText, shortList, savedShare } from './savings-text.ts';
import { type TextColumn, table } from './table.ts';

type NumberedWave = WaveAnswer & { readonly number: number };

const waveColumns: readonly TextColumn<NumberedWave>[] = [
  { title: 'WAVE', cell: ({ number }) => String(number), align: 'right' },
  { title: 'GOES', cell: ({ nodes }) => shortList(nodes), isElastic: true },
  { title: 'COMES', cell: ({ machines }) => shortList(machines.map(({ instanceType }) => instanceType)) || '-', rank: 1 },
  { title: 'PODS', cell: ({ pods }) => String(pods.length), align: 'right' },
  { title: 'SAVES $/H', cell: ({ savingsPerHour }) => money(savingsPerHour), align: 'right' },
];

const totalText = ({ waves, pricePerHour, savingsPerHour }: RebalanceAnswer): string => {
  const nodes = waves.reduce((sum, wave) => sum + wave.nodes.length, 0);
  const pods = waves.reduce((sum, wave) => sum + wave.pods.length, 0);
  const counts = `${countText(nodes, 'node')} in ${countText(waves.length, 'wave')}, ${countText(pods, 'pod')} to move`;
  return `${counts}: now ${rate(pricePerHour)}, after ${rate(pricePerHour - savingsPerHour)}: saves ${money(savingsPerHour)}/h${savedShare(savingsPerHour, pricePerHour)}`;
};

export const rebalanceText = (answer: RebalanceAnswer, paper: Paper): string => {
  const { waves } = answer;
  if (waves.length === 0) return `No set of nodes saves anything if it goes together.\n${heldText(answer, paper)}`;
  const numbered = waves.map((wave, index) => ({ ...wave, number: index + 1 }));
  return `${table(numbered, waveColumns, paper)}\n${heldText(answer, paper)}\n${paint(paper, 'bold', totalText(answer))}\n`;
};
