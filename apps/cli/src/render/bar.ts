import { paint, type Paper } from './paper.ts';
import { percentText } from './amounts.ts';

const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const CELLS = 8;
/** A narrower terminal has more use for its columns. */
const LEAST_WIDTH = 110;

const shareOf = ({ requested, allocatable }: { readonly requested: number; readonly allocatable: number }): number =>
  allocatable > 0 ? requested / allocatable : 0;

const styleOf = (share: number): 'green' | 'yellow' | 'red' => (share > 0.95 ? 'red' : share < 0.5 ? 'yellow' : 'green');

/** `████▌    57%`: how full something is. In a pipe, and on a narrow terminal, only the share. */
export const bar = (fill: { readonly requested: number; readonly allocatable: number }, paper: Paper): string => {
  const share = shareOf(fill);
  const text = percentText(share).padStart(4);
  if (paper.width === undefined || paper.width < LEAST_WIDTH) return text.trim();
  const eighths = Math.round(Math.min(1, share) * CELLS * 8);
  const full = '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
  return `${paint(paper, styleOf(share), full)}${paint(paper, 'dim', '·'.repeat(CELLS - Math.ceil(eighths / 8)))}${text}`;
};
