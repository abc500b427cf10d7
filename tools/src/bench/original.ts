/**
 * `pnpm bench:original`: this controller and the original side by side, each with its kwok provider, on Kubernetes' own
 * control plane. Both run the same scenarios with the same manifests and instance types, one after the other, each on a
 * fresh control plane. Builds from published Go modules what it runs (`KARPENTER_BENCH_CACHE` names the folder).
 * `--scenario NAME` chooses; repeat it for several. `scale` runs only if it is named. `--runs N` repeats each scenario
 * with the sides in turn and compares medians. `--only ours` or `--only original` runs one side, `--json` prints JSON.
 * After each pair of runs, all runs so far are in `logs/results.json` of that folder, beside those of the scenarios
 * that earlier invocations ran; `pnpm generate:comparison` writes the pages from it. Where one side ran alone, or failed,
 * the scenario keeps its earlier result there.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleModule } from './controller/bundled.ts';
import { benchTable, compareScenario } from './original/comparison.ts';
import type { ScenarioResult } from './original/result-pages.ts';
import { kwokContestants } from './original/kwok-contestants.ts';
import { canMountApart } from './original/pod-credentials.ts';
import { defaultCache, ensurePrograms } from './original/programs.ts';
import { type RunFigures, runScenario } from './original/run-scenario.ts';
import { benchScenarios } from './original/scenarios.ts';
import { repository } from '../repository.ts';

const { values } = parseArgs({
  options: {
    ...{ json: { type: 'boolean' }, scenario: { type: 'string', multiple: true }, only: { type: 'string' } },
    runs: { type: 'string', default: '1' },
  },
});
const unknown = (values.scenario ?? []).filter((name) => !benchScenarios.some((scenario) => scenario.name === name));
if (unknown.length > 0)
  throw new Error(`no such scenario: ${unknown.join(', ')}; there are ${benchScenarios.map(({ name }) => name).join(', ')}`);
if (values.only !== undefined && !['ours', 'original'].includes(values.only)) throw new Error('--only takes ours or original');
const runCount = Number(values.runs);
if (!Number.isInteger(runCount) || runCount < 1) throw new Error('--runs takes a whole number of at least 1');

const log = (text: string): void => void process.stderr.write(`${text}\n`);

/** Of the code that runs, and whether it was changed since. */
const commitHere = (): string | undefined => {
  const { status, stdout } = spawnSync('git', ['describe', '--always', '--abbrev=8', '--exclude=*', '--dirty'], {
    ...{ cwd: repository('.'), encoding: 'utf8' },
  });
  return status === 0 ? stdout.trim() : undefined;
};

/** Ends the run under way, with all its processes. */
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
const isStopped = (): boolean => stop.signal.aborted;

const cache = defaultCache();
const programs = ensurePrograms(cache);
const logs = join(cache, 'logs');
mkdirSync(logs, { recursive: true });
log(`${JSON.stringify(programs.versions)}; logs in ${logs}`);
if (!canMountApart()) log('processes may have no mounts of their own here: both sides read a kubeconfig, which takes ours some MiB more');

// Read as the code is bundled: all scenarios run that code, whatever is committed meanwhile.
const commit = commitHere();
using bundle = await bundleModule(new URL('../../../apps/controller/src/main.ts', import.meta.url));
const contestants = kwokContestants(programs, bundle.path).filter(({ name }) => values.only === undefined || values.only === name);
const chosen = benchScenarios.filter(({ name, isLarge }) => values.scenario?.includes(name) ?? isLarge !== true);

/** One scenario's runs so far; a run that failed is not among them. */
interface Runs {
  readonly scenario: string;
  readonly date: string;
  /** Of this repository; absent outside a checkout. */
  readonly commit: string | undefined;
  readonly versions: typeof programs.versions;
  readonly ours: RunFigures[];
  readonly original: RunFigures[];
}

const resultsPath = join(logs, 'results.json');
const earlier = existsSync(resultsPath)
  ? (JSON.parse(readFileSync(resultsPath, 'utf8')) as { readonly results: readonly ScenarioResult[] }).results
  : [];
const all: Runs[] = [];

const resultOf = (each: Runs): ScenarioResult => {
  const { scenario, ours, original } = each;
  const comparisons = ours.length > 0 && original.length > 0 ? compareScenario(scenario, { ours, original }) : [];
  return { ...each, runs: Math.min(ours.length, original.length), comparisons };
};

/** Scenarios of earlier invocations stay as they were compared then, until both sides have run again. */
const resultsSoFar = (): readonly ScenarioResult[] => {
  const fresh = all.map(resultOf).filter(({ comparisons }) => comparisons.length > 0);
  const kept = earlier.filter(({ scenario }) => !fresh.some((each) => each.scenario === scenario));
  return [...kept, ...fresh].toSorted((a, b) => orderOf(a) - orderOf(b));
};

const orderOf = ({ scenario }: ScenarioResult): number => benchScenarios.findIndex(({ name }) => name === scenario);

for (const scenario of chosen) {
  const about = { scenario: scenario.name, date: new Date().toISOString(), commit, versions: programs.versions };
  const runs: Runs = { ...about, ours: [], original: [] };
  all.push(runs);
  for (let run = 0; run < runCount && !isStopped(); run += 1) {
    // Whatever else the machine does then, neither side is always the first.
    for (const contestant of run % 2 === 0 ? contestants : contestants.toReversed()) {
      const logPath = join(logs, `${scenario.name}-${contestant.name}.log`);
      try {
        const figures = await runScenario(scenario, contestant, { programs, logPath, signal: stop.signal });
        runs[contestant.name].push(figures);
        log(JSON.stringify(figures));
      } catch (error) {
        if (isStopped()) break;
        log(`${scenario.name}/${contestant.name} failed: ${String(error)}; see ${logPath}`);
        process.exitCode = 1;
      }
    }
    writeFileSync(resultsPath, `${JSON.stringify({ results: resultsSoFar() }, null, 2)}\n`);
  }
}
if (isStopped()) process.exitCode = 130;
const own = all.map(resultOf);
process.stdout.write(
  `${values.json === true ? JSON.stringify({ results: own }, null, 2) : benchTable(own.flatMap(({ comparisons }) => comparisons))}\n`,
);
