/**
 * `pnpm soak --hours 24`: the bundled controller on the embedded cluster at real speed. Meanwhile deployments come and
 * go, spot machines are taken, nodes drift, prices change, tokens and certificates are rotated and watches end.
 * `--fast --hours 1000` has cluster and controller in one process, on a clock that leaps over what they wait for.
 * Samples memory, handles, timers, watches, the event loop and pods without nodes. Appends each sample to a file beside
 * the plot, and writes the plot to `--plot` (default `soak.svg`) each hour. Prints slopes with their confidence at the
 * end. `--seed S` repeats the changes, `--json` prints JSON. Ends with 1 when a bar is missed. SIGINT and SIGTERM end
 * it with what there is by then.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { inputRandom } from './bench/inputs/random.ts';
import { type Figure, isMissed, report } from './bench/report.ts';
import { createEnding } from './ending.ts';
import { Churn } from './soak/churn.ts';
import type { SoakSample } from './soak/process-use.ts';
import { blockMeans, type Slope, slopeOf } from './soak/slope.ts';
import { soakPlot } from './soak/soak-plot.ts';
import { soakedProcess, soakedStory, type SoakSubject } from './soak/soak-subject.ts';

const { values } = parseArgs({
  options: {
    ...{ hours: { type: 'string', default: '24' }, fast: { type: 'boolean', default: false }, seed: { type: 'string', default: '1' } },
    ...{ plot: { type: 'string', default: 'soak.svg' }, json: { type: 'boolean', default: false } },
  },
});
const HOUR_MS = 3_600_000;
const MIB = 1024 ** 2;
/** How often something changes, and how often the controller is measured. */
const pace = values.fast ? { changeMs: 300_000, sampleMs: 1_800_000 } : { changeMs: 10_000, sampleMs: 30_000 };
const HEAP_SLOPE_PERCENT = 0.5;
/** What is opened and never closed; a slope that is surely above it is a leak. */
const LEAK_SLOPE_PERCENT = 1;
const RESIDENT_PERCENT = 5;
const SETTLE_MS = 20 * 60_000;

const hours = Number(values.hours);
/** What caches fill with is no leak: the first hour, or half of a run that is shorter than two. */
const warmUpMs = Math.min(HOUR_MS, (hours * HOUR_MS) / 2);
/** Events are remembered for an hour: a shorter run shows that they come, and is not held to the bar. */
const heapBar = hours >= 2 ? HEAP_SLOPE_PERCENT : undefined;
const leakBar = hours >= 2 ? LEAK_SLOPE_PERCENT : undefined;
/** An hour, or less in a run of less than ten. */
const blockMs = Math.min(HOUR_MS, (hours * HOUR_MS - warmUpMs) / 8);
const ending = createEnding();

/** Takes samples, one after the other. */
const sampling = (subject: SoakSubject, churn: Churn) => {
  const { cluster, front } = subject;
  let begun = 0;
  return async (): Promise<SoakSample | undefined> => {
    const use = await subject.use();
    if (use === undefined) return undefined;
    const watches = front && { watches: front.watches.open, watchStarts: front.watches.begun - begun };
    begun = front?.watches.begun ?? 0;
    const counts = { nodes: cluster.arm.vms().length, pods: churn.pods().length, missed: churn.waits.missed };
    return { atMs: cluster.clock.now(), ...use, ...counts, ...watches };
  };
};

/** Keeps a sample for good: a run of a day may end before its last hour. */
const keep = (samples: readonly SoakSample[]): void => {
  appendFileSync(`${values.plot}.jsonl`, `${JSON.stringify(samples.at(-1))}\n`);
  if (samples.length % Math.max(1, Math.round(HOUR_MS / pace.sampleMs)) === 0) writeFileSync(values.plot, soakPlot(samples));
};

const say = ({ atMs, heapBytes, dataBytes, residentBytes, nodes, pods, missed }: SoakSample, startMs: number): void => {
  const parts = [(atMs - startMs) / HOUR_MS, heapBytes / MIB, dataBytes / MIB, residentBytes / MIB];
  const [hour, heap, data, resident] = parts.map((value) => value.toFixed(1));
  process.stderr.write(
    `hour ${hour}: heap ${heap} MiB, ${data} without code, resident ${resident} MiB, ${nodes} nodes, ${pods} pods, ${missed} missed\n`,
  );
};

const unlessEnding = (error: unknown): void => {
  if (ending.why() === undefined) throw error;
};

/** Changes and samples until the time is over, or somebody ends it. */
const soak = async (subject: SoakSubject, churn: Churn): Promise<readonly SoakSample[]> => {
  const { clock } = subject.cluster;
  const startMs = clock.now();
  const samples: SoakSample[] = [];
  const take = sampling(subject, churn);
  writeFileSync(`${values.plot}.jsonl`, '');
  const isOver = (): boolean => ending.why() !== undefined || subject.hasFailed() || clock.now() >= startMs + hours * HOUR_MS;
  for (let nextSampleMs = startMs; !isOver();) {
    churn.change();
    await ending.orEnd(clock.sleep(pace.changeMs)).catch(unlessEnding);
    if (clock.now() < nextSampleMs) continue;
    nextSampleMs += pace.sampleMs;
    const sample = await take();
    if (sample === undefined) break;
    samples.push(sample);
    keep(samples);
    say(sample, startMs);
  }
  return samples;
};

/** Pods without a node when nothing changes any more. */
const leftWithoutNode = async ({ cluster }: SoakSubject, churn: Churn): Promise<number> => {
  const waiting = (): number => churn.pods().filter(({ spec }) => spec.nodeName === undefined).length;
  for (const endMs = cluster.clock.now() + SETTLE_MS; ending.why() === undefined && waiting() > 0 && cluster.clock.now() < endMs;)
    await cluster.clock.sleep(1_000);
  return waiting();
};

/** What a slope, or the low end of its interval, may be at most. */
interface SlopeBars {
  readonly slope?: number | undefined;
  readonly lowEnd?: number | undefined;
}

const slopeFigures = (name: string, slope: Slope, bars: SlopeBars): readonly Figure[] => [
  {
    case: `${name}: low end of its slope (95 %)`,
    figure: slope.perHour - slope.plusMinus,
    ...{ unit: '% an hour', ...(bars.lowEnd !== undefined && { atMost: bars.lowEnd }) },
  },
  { case: `${name}: slope`, figure: slope.perHour, unit: '% an hour', ...(bars.slope !== undefined && { atMost: bars.slope }) },
  { case: `${name}: high end of its slope (95 %)`, figure: slope.perHour + slope.plusMinus, unit: '% an hour' },
];

const figuresOf = (samples: readonly SoakSample[]): readonly Figure[] => {
  const startMs = samples[0]?.atMs ?? 0;
  const warm = samples.filter(({ atMs }) => atMs - startMs >= warmUpMs);
  const slopeIn = (value: (sample: SoakSample) => number): Slope => {
    const mean = warm.reduce((sum, sample) => sum + value(sample), 0) / Math.max(1, warm.length);
    return slopeOf(
      blockMeans(
        warm.map((sample) => [sample.atMs, (value(sample) / mean) * 100] as const),
        blockMs,
      ),
    );
  };
  const slopes: readonly (readonly [name: string, value: (sample: SoakSample) => number | undefined, bars: SlopeBars])[] = [
    ['heap', ({ heapBytes }) => heapBytes, { slope: heapBar }],
    ['heap without compiled code', ({ dataBytes }) => dataBytes, {}],
    ['resident', ({ residentBytes }) => residentBytes, {}],
    ['handles', ({ handles }) => handles, { lowEnd: leakBar }],
    ['timers', ({ timers }) => timers, { lowEnd: leakBar }],
    ['open watches', ({ watches }) => watches, { lowEnd: leakBar }],
    ['watches begun', ({ watchStarts }) => watchStarts, {}],
  ];
  const isMeasured = (value: (sample: SoakSample) => number | undefined): value is (sample: SoakSample) => number =>
    samples.every((sample) => value(sample) !== undefined);
  const late = samples.flatMap(({ loopDelayMs }) => loopDelayMs ?? []);
  const meanOf = (part: readonly SoakSample[]): number =>
    part.reduce((sum, each) => sum + each.residentBytes, 0) / Math.max(1, part.length);
  const third = Math.ceil(warm.length / 3);
  return [
    // Fewer have no slope.
    { case: 'samples after the first hour, or the first half', figure: warm.length, unit: 'samples', atLeast: 3 },
    ...slopes.flatMap(([name, value, bars]) => (isMeasured(value) ? slopeFigures(name, slopeIn(value), bars) : [])),
    {
      case: 'resident: the last third beside the first',
      figure: (meanOf(warm.slice(-third)) / meanOf(warm.slice(0, third)) - 1) * 100,
      ...{ unit: '%', atMost: RESIDENT_PERCENT },
    },
    { case: 'resident, at most', figure: Math.max(...samples.map(({ residentBytes }) => residentBytes)) / MIB, unit: 'MiB' },
    ...(late.length === 0 ? [] : [{ case: 'event loop late, worst 99th percentile', figure: Math.max(...late), unit: 'ms' }]),
    { case: 'pods that had no node after 15 minutes', figure: samples.at(-1)?.missed ?? 0, unit: 'pods', atMost: 0 },
  ];
};

await using subject = await (values.fast ? soakedStory() : soakedProcess());
using churn = new Churn(subject, inputRandom(Number(values.seed)));
const samples = await soak(subject, churn);
const figures: readonly Figure[] = [
  { case: 'hours, of the cluster', figure: ((samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0)) / HOUR_MS, unit: 'h' },
  { case: 'changes', figure: churn.changes, unit: 'changes' },
  ...figuresOf(samples),
  { case: 'pods deleted while they waited for a node', figure: churn.waits.deleted, unit: 'pods' },
  { case: 'pods without a node at the end', figure: await leftWithoutNode(subject, churn), unit: 'pods', atMost: 0 },
  { case: 'ends and bugs of the controller', figure: subject.hasFailed() ? 1 : 0, unit: 'times', atMost: 0 },
];
writeFileSync(values.plot, soakPlot(samples));
report(figures, values.json ? ['--json'] : []);
const early = ending.why();
if (early !== undefined) process.stderr.write(`${early.reason}: the figures are those until then\n`);
process.exitCode = early?.exitCode ?? (figures.some(isMissed) ? 1 : 0);
