import type { Fill } from '../answer/node-rows.ts';
import { paint, type Paper } from './paper.ts';
import { percentText } from './amounts.ts';

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const CELLS = 8;
/** Columns of a terminal from which there are bars. A narrower one has more use for its columns. */
const SHARE_BAR_WIDTH = 110;
/** The bar of a count is longer, and the count alone says much of it. */
const COUNT_BAR_WIDTH = 150;
/** Characters of `110/250`. Shorter counts are padded, so bars begin in the same column. */
const COUNT_LENGTH = 7;

const shareOf = ({ requested, allocatable }: Fill): number => (allocatable > 0 ? requested / allocatable : 0);

const shareStyle = (share: number): 'green' | 'yellow' | 'red' => (share > 0.95 ? 'red' : share < 0.5 ? 'yellow' : 'green');

/** A node with few pods may still be full, so a low count is no warning. */
const countStyle = (share: number): 'green' | 'red' => (share > 0.95 ? 'red' : 'green');

const cellsOf = (share: number, style: 'green' | 'yellow' | 'red', paper: Paper): string => {
  const eighths = Math.round(Math.min(1, share) * CELLS * 8);
  const full = '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
  return `${paint(paper, style, full)}${paint(paper, 'dim', '·'.repeat(CELLS - Math.ceil(eighths / 8)))}`;
};

const isWide = ({ width }: Paper, least: number): boolean => width !== undefined && width >= least;

/** `████▌··· 57%`: how full something is. In a pipe, and on a narrow terminal, only the share. */
export const bar = (fill: Fill, paper: Paper): string => {
  const share = shareOf(fill);
  const text = percentText(share);
  return isWide(paper, SHARE_BAR_WIDTH) ? `${cellsOf(share, shareStyle(share), paper)}${text.padStart(4)}` : text;
};

/** `▏·······   2/128`: requested of allocatable. In a pipe, and on a narrow terminal, only the numbers. */
export const countBar = (fill: Fill, paper: Paper): string => {
  const share = shareOf(fill);
  const text = fill.allocatable > 0 ? `${fill.requested}/${fill.allocatable}` : String(fill.requested);
  return isWide(paper, COUNT_BAR_WIDTH) ? `${cellsOf(share, countStyle(share), paper)} ${text.padStart(COUNT_LENGTH)}` : text;
};
