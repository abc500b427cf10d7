/**
 * `pnpm soak --hours 24`: the bundled controller on the embedded cluster at real speed, while deployments come and go,
 * spot machines are taken, nodes drift, prices change, tokens and certificates are rotated and watches end. `--fast
 * --hours 1000` has cluster and controller in one process, on a clock that leaps over what they wait for. Samples
 * memory, handles, timers, the event loop and pods without nodes; writes a plot to `--plot` (default `soak.svg`) and
 * prints slopes with their confidence. `--seed S` repeats the changes, `--json` prints JSON. Ends with 1 when a bar is
 * missed.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { inputRandom } from './bench/inputs/random.ts';
import { type Figure, isMissed, report } from './bench/report.ts';
import { Churn } from './soak/churn.ts';
import type { SoakSample } from './soak/process-use.ts';
import { type Slope, slopeOf } from './soak/slope.ts';
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
const RESIDENT_PERCENT = 5;
const SETTLE_MS = 20 * 60_000;

const hours = Number(values.hours);
/** What caches fill with is no leak: the first hour, or half of a run that is shorter than two. */
const warmUpMs = Math.min(HOUR_MS, (hours * HOUR_MS) / 2);
/** Events are remembered for an hour: a shorter run shows that they come, and is not held to the bar. */
const heapBar = hours >= 2 ? HEAP_SLOPE_PERCENT : undefined;

const sampleOf = async (subject: SoakSubject, churn: Churn): Promise<SoakSample | undefined> => {
  const { cluster } = subject;
  const use = await subject.use();
  if (use === undefined) return undefined;
  const counts = { nodes: cluster.arm.vms().length, pods: churn.pods().length, watches: churn.watches, missed: churn.missed() };
  return { atMs: cluster.clock.now(), ...use, ...counts };
};

const say = ({ atMs, heapBytes, dataBytes, residentBytes, nodes, pods, missed }: SoakSample, startMs: number): void => {
  const parts = [(atMs - startMs) / HOUR_MS, heapBytes / MIB, dataBytes / MIB, residentBytes / MIB];
  const [hour, heap, data, resident] = parts.map((value) => value.toFixed(1));
  process.stderr.write(
    `hour ${hour}: heap ${heap} MiB, ${data} without code, resident ${resident} MiB, ${nodes} nodes, ${pods} pods, ${missed} missed\n`,
  );
};

/** Changes and samples until the time is over. */
const soak = async (subject: SoakSubject, churn: Churn): Promise<readonly SoakSample[]> => {
  const { clock } = subject.cluster;
  const startMs = clock.now();
  const samples: SoakSample[] = [];
  for (let nextSampleMs = startMs; clock.now() < startMs + hours * HOUR_MS && !subject.hasFailed();) {
    churn.change();
    await clock.sleep(pace.changeMs);
    if (clock.now() < nextSampleMs) continue;
    nextSampleMs += pace.sampleMs;
    const sample = await sampleOf(subject, churn);
    if (sample === undefined) break;
    samples.push(sample);
    say(sample, startMs);
  }
  return samples;
};

/** Pods without a node when nothing changes any more. */
const leftWithoutNode = async ({ cluster }: SoakSubject, churn: Churn): Promise<number> => {
  const waiting = (): number => churn.pods().filter(({ spec }) => spec.nodeName === undefined).length;
  for (const endMs = cluster.clock.now() + SETTLE_MS; waiting() > 0 && cluster.clock.now() < endMs;) await cluster.clock.sleep(1_000);
  return waiting();
};

const slopeFigures = (name: string, slope: Slope, bar: number | undefined): readonly Figure[] => [
  { case: `${name}: low end of its slope (95 %)`, figure: slope.perHour - slope.plusMinus, unit: '% an hour' },
  { case: `${name}: slope`, figure: slope.perHour, unit: '% an hour', ...(bar !== undefined && { atMost: bar }) },
  { case: `${name}: high end of its slope (95 %)`, figure: slope.perHour + slope.plusMinus, unit: '% an hour' },
];

const figuresOf = (samples: readonly SoakSample[]): readonly Figure[] => {
  const startMs = samples[0]?.atMs ?? 0;
  const warm = samples.filter(({ atMs }) => atMs - startMs >= warmUpMs);
  const slopeIn = (value: (sample: SoakSample) => number): Slope => {
    const mean = warm.reduce((sum, sample) => sum + value(sample), 0) / Math.max(1, warm.length);
    return slopeOf(warm.map((sample) => [sample.atMs, (value(sample) / mean) * 100] as const));
  };
  const meanOf = (part: readonly SoakSample[]): number =>
    part.reduce((sum, each) => sum + each.residentBytes, 0) / Math.max(1, part.length);
  const third = Math.ceil(warm.length / 3);
  return [
    // Fewer have no slope.
    { case: 'samples after the first hour, or the first half', figure: warm.length, unit: 'samples', atLeast: 3 },
    ...slopeFigures(
      'heap',
      slopeIn(({ heapBytes }) => heapBytes),
      heapBar,
    ),
    ...slopeFigures(
      'heap without compiled code',
      slopeIn(({ dataBytes }) => dataBytes),
      undefined,
    ),
    ...slopeFigures(
      'handles',
      slopeIn(({ handles }) => handles),
      undefined,
    ),
    {
      case: 'resident: the last third beside the first',
      figure: (meanOf(warm.slice(-third)) / meanOf(warm.slice(0, third)) - 1) * 100,
      ...{ unit: '%', atMost: RESIDENT_PERCENT },
    },
    { case: 'resident, at most', figure: Math.max(...samples.map(({ residentBytes }) => residentBytes)) / MIB, unit: 'MiB' },
    { case: 'event loop late, worst 99th percentile', figure: Math.max(...samples.map(({ loopDelayMs }) => loopDelayMs)), unit: 'ms' },
    { case: 'pods that had no node after 15 minutes', figure: samples.at(-1)?.missed ?? 0, unit: 'pods', atMost: 0 },
  ];
};

await using subject = await (values.fast ? soakedStory() : soakedProcess());
const churn = new Churn(subject, inputRandom(Number(values.seed)));
const samples = await soak(subject, churn);
const figures: readonly Figure[] = [
  { case: 'hours, of the cluster', figure: ((samples.at(-1)?.atMs ?? 0) - (samples[0]?.atMs ?? 0)) / HOUR_MS, unit: 'h' },
  { case: 'changes', figure: churn.changes, unit: 'changes' },
  ...figuresOf(samples),
  { case: 'pods without a node at the end', figure: await leftWithoutNode(subject, churn), unit: 'pods', atMost: 0 },
  { case: 'ends and bugs of the controller', figure: subject.hasFailed() ? 1 : 0, unit: 'times', atMost: 0 },
];
writeFileSync(values.plot, soakPlot(samples));
report(figures, values.json ? ['--json'] : []);
process.exitCode = figures.some(isMissed) ? 1 : 0;
