/**
 * `pnpm bench:memory`: what the controller holds in memory while it follows 5,000 nodes that carry 100,000 pods. It is
 * bundled as for its image, in a process of its own. Also measures whether that grows within an hour of churn, by the
 * cluster's own time: ten pods a second and a node every ten seconds are replaced. A number as argument replaces that
 * of the nodes; `--json` prints JSON.
 */
import { fakeClock } from '@karpenter/runtime';
import { startApiServer } from '@karpenter/api-server';
import { report } from './report.ts';
import type { Figure } from './report.ts';
import { controllerBundle } from './controller/controller-child.ts';
import type { Holding } from './controller/holding-of.ts';
import type { Ask } from './controller/rpc.ts';
import { PODS_ON_NODE, SettledCluster } from './memory/settled-cluster.ts';
import { growthPerHour } from './memory/growth-per-hour.ts';

const nodes = Number(process.argv.slice(2).find((each) => /^\d+$/.test(each)) ?? '5000');
const pods = nodes * PODS_ON_NODE;
const START_MS = Date.UTC(2026, 5, 1);
const STEP_MS = 5000;
const PODS_EACH_STEP = 50;
const STEPS_FOR_A_NODE = 2;
const SAMPLE_STEPS = 24;
const SETTLING_SAMPLES = 15;
const HOUR_SAMPLES = 30;
const MIB = 1024 ** 2;
/** Of the heap, an hour: what a collection leaves behind varies by as much. */
const MOST_GROWTH_PERCENT = 2;

const clock = fakeClock(START_MS);
await using server = await startApiServer({ clock });
using bundle = await controllerBundle();
const cluster = new SettledCluster(server);

const startController = () => bundle.start({ server: server.url, startMs: clock.now(), cloud: cluster.cloud });
const holding = async (ask: Ask): Promise<Holding> => (await ask('holding')) as Holding;

/** A controller that starts now, when it has read everything and made one pass. */
const startNow = async (ask: Ask): Promise<Holding> => {
  for (;;) {
    await clock.advance(STEP_MS);
    await ask('advance', STEP_MS);
    const held = await holding(ask);
    if (held.hasSynced) return held;
  }
};

/** What one holds that starts now. */
const coldStart = async (): Promise<Holding> => {
  using controller = startController();
  return await startNow(controller.ask);
};

const churn = async (ask: Ask, steps: number): Promise<Holding> => {
  for (let step = 1; step <= steps; step += 1) {
    cluster.replacePods(PODS_EACH_STEP);
    if (step % STEPS_FOR_A_NODE === 0) cluster.replaceNodes(1);
    await clock.advance(STEP_MS);
    await ask('advance', STEP_MS);
  }
  return holding(ask);
};

const say = (what: string, { heapBytes, codeBytes, residentBytes, peakResidentBytes, nodes: count }: Holding): void => {
  const [heap, code, resident, peak] = [heapBytes, codeBytes, residentBytes, peakResidentBytes].map((bytes) => (bytes / MIB).toFixed(1));
  process.stderr.write(
    `${what}: ${count} nodes, heap ${heap} MiB and ${code} MiB of code, resident ${resident} MiB, at most ${peak} MiB\n`,
  );
};

const samplesOf = async (ask: Ask, count: number): Promise<readonly Holding[]> => {
  const samples: Holding[] = [];
  for (let sample = 0; sample < count; sample += 1) {
    const held = await churn(ask, SAMPLE_STEPS);
    samples.push(held);
    say('churn', held);
  }
  return samples;
};

const empty = await coldStart();
say('empty', empty);
cluster.addNodes(nodes);
const withNodes = await coldStart();
say('nodes', withNodes);
cluster.fillNodes();
using controller = startController();
const startMs = performance.now();
const synced = await startNow(controller.ask);
say('pods', synced);
const syncedMs = performance.now() - startMs;
// What the controllers remember comes with their first rounds and with the pods and nodes that go; some of it (events)
// is forgotten after an hour only.
const settling = await samplesOf(controller.ask, SETTLING_SAMPLES);
const hourStartMs = performance.now();
const hour = await samplesOf(controller.ask, HOUR_SAMPLES);
const hourMs = performance.now() - hourStartMs;

const [before = synced, after = synced] = [settling.at(-1), hour.at(-1)];
const heaps = [before, ...hour].map(({ heapBytes }) => heapBytes);
const name = `${nodes.toLocaleString('en-US')} nodes, ${pods.toLocaleString('en-US')} pods`;
const figures: readonly Figure[] = [
  { case: 'an empty cluster: heap; after a collection and without code, as all heaps', figure: empty.heapBytes / MIB, unit: 'MiB' },
  { case: 'an empty cluster: resident', figure: empty.residentBytes / MIB, unit: 'MiB' },
  { case: `${name}: nodes in the state`, figure: synced.nodes, unit: 'nodes', atLeast: nodes },
  { case: `${name}: heap for each node with its claim`, figure: (withNodes.heapBytes - empty.heapBytes) / nodes, unit: 'bytes' },
  { case: `${name}: heap for each pod`, figure: (synced.heapBytes - withNodes.heapBytes) / pods, unit: 'bytes' },
  { case: `${name}: until all are read and evaluated once`, figure: syncedMs / 1000, unit: 's' },
  { case: `${name}: heap then`, figure: synced.heapBytes / MIB, unit: 'MiB' },
  { case: `${name}: resident until then, at most`, figure: synced.peakResidentBytes / MIB, unit: 'MiB', atMost: 1024 },
  { case: `${name}: heap before the hour of churn`, figure: before.heapBytes / MIB, unit: 'MiB' },
  { case: `${name}: heap after it`, figure: after.heapBytes / MIB, unit: 'MiB' },
  {
    case: `${name}: the heap's slope in that hour`,
    figure: (growthPerHour(heaps, SAMPLE_STEPS * STEP_MS) / before.heapBytes) * 100,
    unit: '% an hour',
    atMost: MOST_GROWTH_PERCENT,
  },
  { case: `${name}: code before it`, figure: before.codeBytes / MIB, unit: 'MiB' },
  { case: `${name}: code after it`, figure: after.codeBytes / MIB, unit: 'MiB' },
  { case: `${name}: nodes in the state after it`, figure: after.nodes, unit: 'nodes', atLeast: nodes, atMost: nodes + 2 },
  { case: `${name}: resident after it`, figure: after.residentBytes / MIB, unit: 'MiB', atMost: 1024 },
  { case: `${name}: resident in all that time, at most`, figure: after.peakResidentBytes / MIB, unit: 'MiB', atMost: 1024 },
  { case: `${name}: pods replaced in the hour`, figure: HOUR_SAMPLES * SAMPLE_STEPS * PODS_EACH_STEP, unit: 'pods' },
  { case: `${name}: nodes replaced in the hour`, figure: (HOUR_SAMPLES * SAMPLE_STEPS) / STEPS_FOR_A_NODE, unit: 'nodes' },
  { case: `${name}: processor time of the hour`, figure: after.cpuSeconds - before.cpuSeconds, unit: 's' },
  { case: `${name}: real time of the hour`, figure: hourMs / 1000, unit: 's' },
];
report(figures);
