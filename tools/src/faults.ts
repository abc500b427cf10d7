/**
 * `pnpm test:faults`: two replicas of the bundled controller on Kubernetes' own control plane, over kubelets and an
 * Azure that are made up. Something goes wrong at a random moment of a scale-up, a consolidation, a drift, a removal of
 * claims and nodes, or a deletion. After each round every pod runs, and no machine, interface, disk, claim or taint is
 * left over. `KARPENTER_CONTROL_PLANE` names the folder of its programs (`pnpm build:control-plane`). `--rounds N`
 * (default 16), `--seed S` repeats a run, `--fault NAME` tries one fault only, `--long` lets faults last as long as at
 * night, `--json` prints JSON. Ends with 1 when a round failed. A round in which nothing shows that the fault struck is
 * named, and does not count as held. SIGINT and SIGTERM end all programs and print what was done.
 */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bundleModule } from './bench/controller/bundled.ts';
import { type Random, inputRandom } from './bench/inputs/random.ts';
import { FaultCluster } from './faults/fault-cluster.ts';
import { type FaultKind, faultKinds } from './faults/fault-kinds.ts';
import { runRound, type RoundVerdict } from './faults/run-round.ts';
import { faultScenarios } from './faults/scenarios.ts';
import { createEnding } from './ending.ts';

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
const inTurn = kindsInTurn(inputRandom(seed));

const sentenceOf = ({
  round,
  scenario,
  fault,
  struckAfterSeconds,
  settledAfterSeconds,
  problems,
  evidence,
  ...rest
}: RoundVerdict): string => {
  const verdict = problems.length === 0 ? `settled after ${settledAfterSeconds.toFixed(0)} s` : `FAILED: ${problems.join('; ')}`;
  const shown = evidence.length === 0 ? 'NOT STRUCK' : evidence.join(', ');
  return `round ${round} ${scenario} / ${fault} at ${struckAfterSeconds.toFixed(1)} s (${shown}): ${verdict} ${JSON.stringify(rest)}\n`;
};

const ending = createEnding();
const wanted = Number(values.rounds);
const verdicts: RoundVerdict[] = [];

/** Rounds on one cluster, until one fails or as many as wanted are done. The scenarios begin at the first of them. */
const playRounds = async (bundlePath: string): Promise<void> => {
  const first = verdicts.length + 1;
  const logsOfCluster = join(logs, `from-round-${first}`);
  await using cluster = await FaultCluster.start({ assets, bundlePath, logs: logsOfCluster, random: inputRandom(seed + first) });
  let generation = 'none';
  await ending.orEnd(cluster.relabelPools(generation));
  for (let number = first; number <= wanted; number += 1) {
    // What is drawn in one round depends on nothing that happened in another.
    const random = inputRandom(seed + number);
    const scenario = faultScenarios[(number - first) % faultScenarios.length] ?? random.oneOf(faultScenarios);
    const { value: fault } = inTurn.next();
    const after = scenario.name === 'drift' ? `g${number}` : generation;
    const round = { number, scenario, fault, random, isLong: values.long, generation: { before: generation, after } };
    const verdict = await ending.orEnd(runRound(cluster, round));
    generation = after;
    verdicts.push(verdict);
    process.stderr.write(sentenceOf(verdict));
    if (verdict.problems.length > 0) break;
  }
};

const playAll = async (): Promise<void> => {
  using bundle = await bundleModule(new URL('../../apps/controller/src/main.ts', import.meta.url));
  while (verdicts.length < wanted) await playRounds(bundle.path);
};

try {
  await playAll();
} catch (error) {
  if (ending.why() === undefined) throw error;
}
const early = ending.why();
const failed = verdicts.filter(({ problems }) => problems.length > 0);
const held = verdicts.filter(({ problems, evidence }) => problems.length === 0 && evidence.length > 0);
const missed = verdicts.length - held.length - failed.length;
const summary = `${held.length} of ${verdicts.length} rounds held, ${failed.length} failed, ${missed} not struck (seed ${seed})`;
const reason = early === undefined ? '' : `${early.reason} before ${wanted} rounds were done: `;
process.stdout.write(values.json ? `${JSON.stringify({ seed, verdicts }, null, 2)}\n` : `${reason}${summary}\n`);
// The round that was cut short still waits for something.
if (early !== undefined) process.exit(early.exitCode);
process.exitCode = failed.length > 0 ? 1 : 0;
