/**
 * `pnpm bench:original`: this controller and the original side by side, each with its kwok provider, on Kubernetes' own
 * control plane. Both run the same scenarios with the same manifests and instance types, one after the other, each on a
 * fresh control plane. Builds from published Go modules what it runs (`KARPENTER_BENCH_CACHE` names the folder).
 * `--scenario NAME` chooses (repeat it for several), `--only ours` or `--only original` runs one side, `--json` prints
 * JSON.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundled } from './controller/bundled.ts';
import { compared, type BenchComparison, benchTable } from './original/comparison.ts';
import type { Contestant } from './original/contestant.ts';
import { kwokContestants } from './original/kwok-contestants.ts';
import { defaultCache, ensurePrograms } from './original/programs.ts';
import { type RunFigures, runScenario } from './original/run-scenario.ts';
import { benchScenarios } from './original/scenarios.ts';

const { values } = parseArgs({
  options: { json: { type: 'boolean' }, scenario: { type: 'string', multiple: true }, only: { type: 'string' } },
});
const unknown = (values.scenario ?? []).filter((name) => !benchScenarios.some((scenario) => scenario.name === name));
if (unknown.length > 0)
  throw new Error(`no such scenario: ${unknown.join(', ')}; there are ${benchScenarios.map(({ name }) => name).join(', ')}`);

const cache = defaultCache();
const programs = ensurePrograms(cache);
const logs = join(cache, 'logs');
mkdirSync(logs, { recursive: true });
process.stderr.write(`${JSON.stringify(programs.versions)}; logs in ${logs}\n`);

using bundle = await bundled(new URL('../../../apps/controller/src/main.ts', import.meta.url));

const comparisons: BenchComparison[] = [];
for (const scenario of benchScenarios) {
  if (values.scenario !== undefined && !values.scenario.includes(scenario.name)) continue;
  const figures = new Map<Contestant['name'], RunFigures>();
  for (const contestant of kwokContestants(programs, bundle.path)) {
    if (values.only !== undefined && values.only !== contestant.name) continue;
    const logPath = join(logs, `${scenario.name}-${contestant.name}.log`);
    figures.set(contestant.name, await runScenario(scenario, contestant, { programs, logPath }));
    process.stderr.write(`${JSON.stringify(figures.get(contestant.name))}\n`);
  }
  const [ours, original] = [figures.get('ours'), figures.get('original')];
  if (ours !== undefined && original !== undefined) comparisons.push(...compared(scenario.name, ours, original));
}
process.stdout.write(`${values.json === true ? JSON.stringify(comparisons, null, 2) : benchTable(comparisons)}\n`);
