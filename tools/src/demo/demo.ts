import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadKubeConfig } from '@karpenter/runtime/kubeconfig';
import { silentLogger, errorMessage } from '@karpenter/runtime';
import { applyFile } from './apply-file.ts';
import type { Child } from './processes/child.ts';
import { startCluster, type ClusterAddress } from './processes/cluster-child.ts';
import { type ControllerChild, startController } from './processes/controller-child.ts';
import type { DemoArguments } from './demo-arguments.ts';
import { createEnding, type Ending } from '../ending.ts';
import { type FollowedCluster, followCluster } from './follow-cluster.ts';
import { createLedger, type DemoLedger } from './log/ledger.ts';
import { repository } from '../repository.ts';
import { createScreen, type Screen } from './screen/screen.ts';
import { steps, type StepResult, withinDeadline } from './story/step.ts';
import { keepWatching, playStep, type Stage } from './story/story.ts';
import { summaryOf } from './story/summary.ts';

const manifests = ['docs/examples/general-purpose.yaml', 'docs/examples/inflate.yaml'].map(repository);

/** What the whole demo shares. */
interface Run {
  readonly options: DemoArguments;
  readonly screen: Screen;
  readonly ending: Ending;
  /** Where the cluster keeps its files; gone at the end, however the cluster ended. */
  readonly folder: string;
  /** Started so far, in the order in which they are to be stopped. */
  readonly children: Child[];
}

/** From here on the demo ends when the child does, and stops it at its own end. */
const watchOver = ({ children, ending }: Run, child: Child): void => {
  children.unshift(child);
  void child.ended.then((how) => ending.end(`${child.name} ended (${how})`));
};

const connect = async ({ kubeconfigPath }: ClusterAddress, ending: Ending): Promise<FollowedCluster> => {
  const { signal } = ending;
  const cluster = followCluster(await loadKubeConfig({ path: kubeconfigPath }), { logger: silentLogger, signal });
  await ending.orEnd(cluster.ready(signal));
  return cluster;
};

const applyManifests = async (cluster: FollowedCluster, { screen, ending }: Run): Promise<void> => {
  for (const path of manifests) screen.line(`▸ applied ${(await ending.orEnd(applyFile(cluster.client, path))).join(', ')}`);
};

/** Plays the steps in order, up to the first that does not come true. */
const play = async (stage: Stage, { timeLimitMs }: DemoArguments): Promise<readonly StepResult[]> => {
  const results: StepResult[] = [];
  // Pods that come before their NodePool is Ready are refused first, which would begin the tour with a plan of no nodes.
  await stage.ending.orEnd(stage.cluster.poolsReady(stage.ending.signal));
  for (const step of steps) {
    stage.screen.line(`▸ ${step.title}`);
    if (step.hint !== undefined) stage.screen.line(`  · ${step.hint}`);
    const result = await playStep(stage, timeLimitMs === undefined ? step : withinDeadline(step, timeLimitMs));
    results.push(result);
    if (result.failure !== undefined) break;
  }
  return results;
};

const howToUse = ({ kubeconfigPath }: ClusterAddress, { metrics }: ControllerChild, logFile: string): readonly string[] => [
  'The cluster stays up until Ctrl-C. In another terminal:',
  `  export KUBECONFIG=${kubeconfigPath}`,
  `  curl ${metrics}`,
  `  tail -f ${logFile}`,
  '  kubectl get nodepools,nodeclaims,nodes',
  '  kubectl scale deployment inflate --replicas 20',
  '  kubectl get nodes -w',
];

const WHAT_NEXT = [
  'Next',
  '  npm run demo -- --keep      the cluster stays up for your own kubectl',
  '  docs/getting-started.md     on AKS',
];

const reportLastLines = ({ screen, children }: Run): void => {
  for (const child of children) {
    const lines = child.lastLines();
    if (lines.length > 0) screen.line(`Last lines of ${child.name}:`);
    for (const line of lines) screen.line(`  ${line}`);
  }
};

const reportSummary = (results: readonly StepResult[], ledger: DemoLedger, screen: Screen): void => {
  for (const line of summaryOf(results, ledger.savedPerHour())) screen.line(line);
};

/** Says why in one line; the processes' own words follow when it was not the person who ended the demo. */
const failed = (run: Run, error: unknown): number => {
  const { reason, exitCode } = run.ending.why() ?? { reason: errorMessage(error), exitCode: 1 };
  run.screen.end();
  run.screen.line(`✘ ${reason}`);
  if (exitCode === 1) reportLastLines(run);
  return exitCode;
};

/** Stays until Ctrl-C. Answers the exit code. */
const keep = async (run: Run, stage: Stage, hasFailed: boolean): Promise<number> => {
  // Whoever scales during the tour keeps its step from coming true, and has a cluster to go on with.
  if (hasFailed) run.screen.line('▸ the tour ends here, and the cluster stays up until Ctrl-C');
  await keepWatching(stage);
  if (run.ending.why()?.exitCode === 1) return failed(run, run.ending.signal.reason);
  return hasFailed ? 1 : 0;
};

/** Everything between the start of the first process and the stop of the last. Answers the exit code. */
const perform = async (run: Run): Promise<number> => {
  const { options, screen, ending, folder } = run;
  const clusterChild = startCluster({ speed: options.speed, folder });
  watchOver(run, clusterChild);
  const address = await ending.orEnd(clusterChild.address);
  let isReady = false;
  const ledger = createLedger((sentence) => {
    if (isReady) screen.line(`  · ${sentence}`);
  });
  const logFile = join(folder, 'controller.log');
  const controller = await startController({ address, logFile, onDecision: (decision) => ledger.note(decision) });
  watchOver(run, controller);
  for (const line of options.keep ? howToUse(address, controller, logFile) : []) screen.line(line);
  screen.line(`▸ dashboard: ${controller.dashboard}`);
  const stage = { cluster: await connect(address, ending), screen, prices: ledger.prices, ending };
  await applyManifests(stage.cluster, run);
  // Until then plans find no node for the cluster's own pods, which wait for its system pool and concern nobody.
  const show = (): void => void (isReady = true);
  stage.cluster.poolsReady(ending.signal).then(show, show);
  const results = options.tour ? await play(stage, options) : [];
  screen.end();
  if (options.tour) reportSummary(results, ledger, screen);
  const hasFailed = results.some(({ failure }) => failure !== undefined);
  if (hasFailed) ending.signal.throwIfAborted();
  if (options.keep) return keep(run, stage, hasFailed);
  if (hasFailed) reportLastLines(run);
  else for (const line of WHAT_NEXT) screen.line(line);
  return hasFailed ? 1 : 0;
};

/** Runs the demo to its end. Answers the exit code: 0 when every step came true. Leaves no process and no file behind. */
export const runDemo = async (options: DemoArguments): Promise<number> => {
  const screen = createScreen(process.stdout);
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-demo-'));
  const run: Run = { options, screen, ending: createEnding(), folder, children: [] };
  process.stdout.on('error', ({ message }) => run.ending.end(`the output cannot be written (${message})`));
  screen.line(`▸ starting an embedded Kubernetes cluster and an emulated Azure (machines boot ${options.speed} × as fast)`);
  try {
    return await perform(run);
  } catch (error) {
    return failed(run, error);
  } finally {
    for (const child of run.children) await child.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};
