/**
 * `pnpm test:faults`: two replicas of the bundled controller on Kubernetes' own control plane, over kubelets and an
 * Azure that are made up, while something goes wrong at a random moment of a scale-up, a consolidation, a drift or a
 * deletion. After each round every pod runs, and no machine, interface, disk, claim or taint is left over.
 * `KARPENTER_CONTROL_PLANE` names the folder of its programs (`pnpm build:control-plane`). `--rounds N` (default 16),
 * `--seed S` repeats a run, `--fault NAME` tries one fault only, `--long` lets faults last as long as at night,
 * `--json` prints JSON. Ends with 1 when a round failed.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundled } from './bench/controller/bundled.ts';
import { type Random, inputRandom } from './bench/inputs/random.ts';
import { FaultCluster } from './faults/fault-cluster.ts';
import { type FaultKind, faultKinds } from './faults/fault-kinds.ts';
import { runRound, type RoundVerdict } from './faults/run-round.ts';
import { faultScenarios } from './faults/scenarios.ts';

const { values } = parseArgs({
  options: {
    ...{ rounds: { type: 'string', default: '16' }, seed: { type: 'string' }, fault: { type: 'string', multiple: true } },
    ...{ long: { type: 'boolean', default: false }, json: { type: 'boolean', default: false } },
  },
});
const assets = process.env['KARPENTER_CONTROL_PLANE'];
if (assets === undefined) throw new Error('KARPENTER_CONTROL_PLANE names no folder: CONTRIBUTING.md says how its programs are built');
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
const known = faultKinds();
const kinds = known.filter(({ name }) => values.fault?.includes(name) ?? true);
if (kinds.length === 0) throw new Error(`no such fault; there are ${known.map(({ name }) => name).join(', ')}`);

/** Every kind once, in a random order, again and again: no kind is left out of a long run. */
const kindsInTurn = function* (random: Random): Generator<FaultKind, never> {
  for (;;) {
    const left = [...kinds];
    while (left.length > 0) yield* left.splice(random.below(left.length), 1);
  }
};

const logs = mkdtempSync(join(tmpdir(), 'karpenter-faults-'));
process.stderr.write(`seed ${seed}; logs in ${logs}\n`);
using bundle = await bundled(new URL('../../apps/controller/src/main.ts', import.meta.url));
const inTurn = kindsInTurn(inputRandom(seed));
const startCluster = (round: number): Promise<FaultCluster> =>
  FaultCluster.start({ assets, bundlePath: bundle.path, logs: join(logs, `from-round-${round}`), random: inputRandom(seed + round) });

const sentenceOf = ({ round, scenario, fault, struckAfterSeconds, settledAfterSeconds, problems, ...rest }: RoundVerdict): string => {
  const verdict = problems.length === 0 ? `settled after ${settledAfterSeconds.toFixed(0)} s` : `FAILED: ${problems.join('; ')}`;
  return `round ${round} ${scenario} / ${fault} at ${struckAfterSeconds.toFixed(1)} s: ${verdict} ${JSON.stringify(rest)}\n`;
};

/** Rounds on one cluster until one fails or `last` is reached. The scenarios begin at the first of them. */
const roundsOnOneCluster = async (first: number, last: number): Promise<readonly RoundVerdict[]> => {
  await using cluster = await startCluster(first);
  const verdicts: RoundVerdict[] = [];
  let generation = 'none';
  await cluster.relabelPools(generation);
  for (let number = first; number <= last; number += 1) {
    // What is drawn in one round depends on nothing that happened in another.
    const random = inputRandom(seed + number);
    const scenario = faultScenarios[(number - first) % faultScenarios.length] ?? random.oneOf(faultScenarios);
    const { value: fault } = inTurn.next();
    const after = scenario.name === 'drift' ? `g${number}` : generation;
    const verdict = await runRound(cluster, {
      ...{ number, scenario, fault, random, isLong: values.long },
      generation: { before: generation, after },
    });
    generation = after;
    verdicts.push(verdict);
    process.stderr.write(sentenceOf(verdict));
    if (verdict.problems.length > 0) break;
  }
  return verdicts;
};

const verdicts: RoundVerdict[] = [];
while (verdicts.length < Number(values.rounds)) verdicts.push(...(await roundsOnOneCluster(verdicts.length + 1, Number(values.rounds))));
const failed = verdicts.filter(({ problems }) => problems.length > 0);
const summary = `${verdicts.length - failed.length} of ${verdicts.length} rounds held (seed ${seed})`;
process.stdout.write(values.json ? `${JSON.stringify({ seed, verdicts }, null, 2)}\n` : `${summary}\n`);
process.exitCode = failed.length > 0 ? 1 : 0;
