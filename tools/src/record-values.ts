/**
 * `node --conditions=@karpenter/source tools/src/record-values.ts`: plays one script with the original and with this
 * controller. Each runs with its kwok provider on a fresh control plane of Kubernetes. Reads their metrics after each
 * step. What the original counted is written for `scripted-values.test.ts`; every difference in value is printed. Takes
 * a quarter of an hour for each. `--only ours` or `--only original` plays one side.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startBenchCluster } from './bench/original/bench-cluster.ts';
import { startContestant } from './bench/original/contestant.ts';
import { kwokContestants } from './bench/original/kwok-contestants.ts';
import { metricScript } from './bench/original/metric-script.ts';
import { playScript, type PlayedStep } from './bench/original/play-script.ts';
import { defaultCache, ensurePrograms } from './bench/original/programs.ts';
import { type MetricShape, metricShapes, scrapedValues, type ScrapedValues } from './bench/original/scraped-values.ts';
import { bundleModule } from './bench/controller/bundled.ts';

interface Recording {
  readonly versions: Readonly<Record<string, string>>;
  readonly script: typeof metricScript;
  readonly metrics: Readonly<Record<string, MetricShape>>;
  readonly steps: readonly PlayedStep[];
}

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const recordingPath = new URL('../../packages/testkit/src/stories/__golden__/values-of-original.json', import.meta.url);
const log = (text: string): void => void process.stderr.write(`${text}\n`);

const cache = defaultCache();
const programs = ensurePrograms(cache);
const logs = join(cache, 'logs');
mkdirSync(logs, { recursive: true });

/** Both kinds of values under one name each. */
const allOf = ({ counts, gauges }: ScrapedValues): ReadonlyMap<string, number> => new Map(Object.entries({ ...counts, ...gauges }));

const printDifferences = (ours: readonly PlayedStep[], { steps }: Recording): void => {
  for (const [index, step] of steps.entries()) {
    const [theirs, own] = [allOf(step), allOf(ours[index] ?? { counts: {}, gauges: {} })];
    for (const series of [...new Set([...theirs.keys(), ...own.keys()])].sort())
      if (theirs.get(series) !== own.get(series))
        process.stdout.write(`${step.name}: ${series}: original ${theirs.get(series) ?? 0}, ours ${own.get(series) ?? 0}\n`);
  }
};

using bundle = await bundleModule(new URL('../../apps/controller/src/main.ts', import.meta.url));
for (const contestant of kwokContestants(programs, bundle.path).toReversed()) {
  const { name } = contestant;
  if (values.only !== undefined && values.only !== name) continue;
  await using cluster = await startBenchCluster(programs, { crds: contestant.crds });
  await using running = await startContestant(contestant, {
    cluster: cluster.access,
    logPath: join(logs, `script-${name}.log`),
  });
  const texts: string[] = [];
  const scrape = async (): Promise<ScrapedValues> => {
    texts.push(await running.scrape());
    return scrapedValues(texts.at(-1) ?? '');
  };
  const steps = await playScript(metricScript, { client: cluster.client, scrape }, (step) => log(`${name}: ${step.name}`));
  const recording: Recording = { versions: programs.versions, script: metricScript, metrics: metricShapes(texts), steps };
  const text = `${JSON.stringify(recording, null, 1)}\n`;
  writeFileSync(name === 'original' ? recordingPath : join(logs, 'script-ours.json'), text);
  if (name === 'ours') printDifferences(steps, JSON.parse(readFileSync(recordingPath, 'utf8')) as Recording);
}
