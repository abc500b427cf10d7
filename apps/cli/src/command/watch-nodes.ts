import { stripVTControlCharacters } from 'node:util';
import type { NodesAnswer } from '../answer/node-rows.ts';
import { COMMAND_EXIT, type CommandExitCode } from '../exit-code.ts';
import type { OpenedCluster } from '../read/opened-cluster.ts';
import { money } from '../render/amounts.ts';
import { nodesText, totalsText } from '../render/nodes-text.ts';
import { fold, paint, type Paper, visibleIn } from '../render/paper.ts';
import { askNodes, type NodesFlags } from './ask-nodes.ts';
import type { World } from './world.ts';

const PERIOD_MS = 1000;
const CLEAR_BELOW = '\u001b[J';
const ERASE_LINE = '\u001b[K';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

/** `▲ $0.322/h since 12:30:05`: how the price has changed since the watch began. */
const trendText = (from: number, to: number, since: string): string => {
  const change = to - from;
  if (Math.abs(change) < 0.0005) return `price unchanged since ${since}`;
  return `${change > 0 ? '▲' : '▼'} ${money(Math.abs(change))}/h since ${since}`;
};

/** Draws over what was drawn before, line by line, so that nothing flickers. */
const liveDrawing = (out: Paper): ((text: string) => void) => {
  let drawn: readonly string[] = [];
  return (text) => {
    const width = out.width ?? 80;
    const folded = drawn.reduce((lines, line) => lines + Math.max(1, Math.ceil(stripVTControlCharacters(line).length / width)), 0);
    drawn = text.trimEnd().split('\n');
    const up = folded === 0 ? '' : `\u001b[${folded}A`;
    out.write(`${up}\r${drawn.map((line) => `${line}${ERASE_LINE}\n`).join('')}${CLEAR_BELOW}`);
  };
};

/** In a pipe: a line whenever the totals changed; with `--output json` a line of JSON for each change. */
const lineDrawing = (out: Paper): ((text: string) => void) => {
  let last = '';
  return (text) => {
    if (text !== last) out.write(`${text}\n`);
    last = text;
  };
};

const waitForChange = async (changed: Promise<undefined>, { clock, signal }: World): Promise<void> => {
  await Promise.race([changed, clock.sleep(10 * PERIOD_MS, signal).catch(() => undefined)]);
  await clock.sleep(PERIOD_MS, signal).catch(() => undefined);
};

const timeText = (ms: number): string => new Date(ms).toTimeString().slice(0, 8);

/** As many nodes as the terminal has rows for, and all below them: nothing can be drawn over what has scrolled away. */
const fitting = (answer: NodesAnswer, below: string, out: Paper): string => {
  const textOf = (shown?: number): string => fold(`${nodesText(answer, out, shown)}${below}`, out);
  const text = textOf();
  const surplus = text.split('\n').length + 1 - (out.height ?? Number.POSITIVE_INFINITY);
  return surplus <= 0 ? text : textOf(Math.max(0, answer.nodes.length - surplus - 1));
};

/** What stands on the screen for an answer. */
const screenOf = ({ out }: World, flags: NodesFlags): ((answer: NodesAnswer, below: string) => string) => {
  if (flags.output === 'json') return (answer) => JSON.stringify(answer);
  if (out.width === undefined) return (answer) => totalsText(answer.totals);
  return (answer, below) => fitting(visibleIn(answer), `${below} · Ctrl-C ends`, out);
};

/** Says on standard error, once for each time, that the API server is away: a pipe has no line that is drawn again. */
const lossComplaint = ({ complain }: World): ((loss: string | undefined) => void) => {
  let last: string | undefined;
  return (loss) => {
    if (loss !== undefined && loss !== last) complain(loss);
    last = loss;
  };
};

const lossOf = (cluster: OpenedCluster): string | undefined => {
  const sinceMs = cluster.lostSinceMs();
  return sinceMs === undefined ? undefined : `not connected since ${timeText(sinceMs)}: this is what was read before`;
};

/** Shows the nodes until the signal is aborted: at most once a second, when something changed. */
export const watchNodes = async (cluster: OpenedCluster, flags: NodesFlags, world: World): Promise<CommandExitCode> => {
  const { out, signal, clock } = world;
  const isLive = out.width !== undefined && flags.output === 'text';
  const draw = isLive ? liveDrawing(out) : lineDrawing(out);
  const complainOfLoss = isLive ? () => undefined : lossComplaint(world);
  const render = screenOf(world, flags);
  const since = timeText(clock.now());
  let changed = Promise.withResolvers<undefined>();
  cluster.onChange(() => changed.resolve(undefined));
  let first: number | undefined;
  if (isLive) out.write(HIDE_CURSOR);
  try {
    while (!signal.aborted) {
      changed = Promise.withResolvers<undefined>();
      const answer = await askNodes(cluster, flags, world);
      first ??= answer.totals.pricePerHour;
      const loss = lossOf(cluster);
      complainOfLoss(loss);
      draw(
        render(
          answer,
          loss === undefined ? paint(out, 'dim', trendText(first, answer.totals.pricePerHour, since)) : paint(out, 'red', loss),
        ),
      );
      await waitForChange(changed.promise, world);
    }
  } finally {
    if (isLive) out.write(SHOW_CURSOR);
  }
  return COMMAND_EXIT.ok;
};
