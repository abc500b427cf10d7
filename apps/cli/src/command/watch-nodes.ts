import { stripVTControlCharacters } from 'node:util';
import type { NodesAnswer } from '../answer/node-rows.ts';
import { COMMAND_EXIT, type CommandExitCode } from '../exit-code.ts';
import type { OpenedCluster } from '../read/opened-cluster.ts';
import { money } from '../render/amounts.ts';
import { nodesText, totalsText } from '../render/nodes-text.ts';
import { fold, paint, type Paper } from '../render/paper.ts';
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

/** What stands on the screen for an answer. */
const screenOf = ({ out }: World, flags: NodesFlags): ((answer: NodesAnswer, trend: string) => string) => {
  if (flags.output === 'json') return (answer) => JSON.stringify(answer);
  if (out.width === undefined) return (answer) => totalsText(answer.totals);
  return (answer, trend) => fold(`${nodesText(answer, out)}${paint(out, 'dim', `${trend} · Ctrl-C ends`)}`, out);
};

/** Shows the nodes until the signal is aborted: at most once a second, when something changed. */
export const watchNodes = async (cluster: OpenedCluster, flags: NodesFlags, world: World): Promise<CommandExitCode> => {
  const { out, signal, clock } = world;
  const isLive = out.width !== undefined && flags.output === 'text';
  const draw = isLive ? liveDrawing(out) : lineDrawing(out);
  const render = screenOf(world, flags);
  const since = new Date(clock.now()).toTimeString().slice(0, 8);
  let changed = Promise.withResolvers<undefined>();
  cluster.onChange(() => changed.resolve(undefined));
  let first: number | undefined;
  if (isLive) out.write(HIDE_CURSOR);
  while (!signal.aborted) {
    changed = Promise.withResolvers<undefined>();
    const answer = await askNodes(cluster, flags, world);
    first ??= answer.totals.pricePerHour;
    draw(render(answer, trendText(first, answer.totals.pricePerHour, since)));
    await waitForChange(changed.promise, world);
  }
  if (isLive) out.write(SHOW_CURSOR);
  return COMMAND_EXIT.ok;
};
