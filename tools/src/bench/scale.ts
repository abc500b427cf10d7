/**
 * `pnpm bench:scale`: the original's performance scenarios beside the original's thresholds. They run on an embedded
 * cluster with kubelets, a binder and a simulated cloud. All of Karpenter's controllers are in a process of their own,
 * bundled as for the image. Time is the cluster's own: it moves in steps that both processes make together, and by the
 * processor time that the controller takes. Other work on the machine makes nothing late. Names of scenarios as
 * arguments choose among them; `--json` prints JSON; `FEATURE_GATES` is the controller's.
 */
import { parseArgs } from 'node:util';
import { report } from './report.ts';
import type { Figure } from './report.ts';
import { controllerBundle } from './controller/controller-child.ts';
import { figuresOfPhase } from './scale/figures-of-phase.ts';
import { runPhase } from './scale/run-phase.ts';
import { startScaleCluster } from './scale/scale-cluster.ts';
import type { Scenario } from './scale/scenarios.ts';
import { scenarios } from './scale/scenarios.ts';

const { positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' } },
});

using bundle = await controllerBundle();

const run = async ({ name, phases }: Scenario): Promise<readonly Figure[]> => {
  await using cluster = await startScaleCluster(bundle);
  const figures: Figure[] = [];
  for (const phase of phases) {
    const result = await runPhase(cluster, phase);
    process.stderr.write(`${name}/${phase.name}: ${(result.tookMs / 60_000).toFixed(1)} min in ${(result.realMs / 1000).toFixed(0)} s\n`);
    figures.push(...figuresOfPhase(name, result));
    // A phase that did not end leaves nothing that the next could begin with.
    if (!result.isDone) break;
  }
  return figures;
};

const figures: Figure[] = [];
for (const scenario of scenarios) {
  if (positionals.length === 0 || positionals.includes(scenario.name)) figures.push(...(await run(scenario)));
}
report(figures);
