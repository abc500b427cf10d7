import { loadKubeConfig } from '@karpenter/runtime/kubeconfig';
import { silentLogger } from '@karpenter/runtime';
import { applyFile } from './apply.ts';
import type { Child } from './child.ts';
import { startCluster, type ClusterAddress } from './cluster-child.ts';
import { startController } from './controller-child.ts';
import type { Decision } from './decision.ts';
import type { DemoArguments } from './demo-arguments.ts';
import { type FollowedCluster, followCluster } from './follow.ts';
import { narrate } from './narration.ts';
import { repository } from './repository.ts';
import { createScreen, type Screen } from './screen.ts';
import { steps, type StepResult } from './step.ts';
import { playStep, type Stage } from './story.ts';
import { summaryOf } from './summary.ts';

const manifests = ['docs/examples/general-purpose.yaml', 'docs/examples/inflate.yaml'].map(repository);

/** What the controller's log has told so far. */
const createLedger = (screen: Screen) => {
  const prices = new Map<string, number>();
  let savedPerHour = 0;
  return {
    prices,
    savedPerHour: () => savedPerHour,
    note(decision: Decision): void {
      const { name, pricePerHour, savingsPerHour } = decision.fields;
      if (typeof name === 'string' && typeof pricePerHour === 'number') prices.set(name, pricePerHour);
      if (decision.message === 'command started' && typeof savingsPerHour === 'number') savedPerHour += savingsPerHour;
      const sentence = narrate(decision);
      if (sentence !== undefined) screen.line(`  · ${sentence}`);
    },
  };
};

const connect = async ({ kubeconfigPath }: ClusterAddress, signal: AbortSignal): Promise<FollowedCluster> =>
  followCluster(await loadKubeConfig({ path: kubeconfigPath }), { logger: silentLogger, signal });

const applyManifests = async (cluster: FollowedCluster, screen: Screen): Promise<void> => {
  for (const path of manifests) screen.line(`▸ applied ${(await applyFile(cluster.client, path)).join(', ')}`);
};

/** Plays the steps in order, up to the first that does not come true. */
const play = async (stage: Stage): Promise<readonly StepResult[]> => {
  const results: StepResult[] = [];
  for (const step of steps) {
    stage.screen.line(`▸ ${step.title}`);
    const result = await playStep(stage, step);
    results.push(result);
    if (result.failure !== undefined) break;
  }
  return results;
};

const howToUse = ({ kubeconfigPath }: ClusterAddress): readonly string[] => [
  'The cluster stays up until Ctrl-C. In another terminal:',
  `  export KUBECONFIG=${kubeconfigPath}`,
  '  kubectl get nodepools,nodeclaims,nodes',
  '  kubectl scale deployment inflate --replicas 20',
  '  kubectl get nodes -w',
];

const stopAll = async (children: readonly Child[]): Promise<void> => {
  for (const child of children) await child.stop();
};

/** Runs the demo to its end. Answers the exit code: 0 when every step came true. */
export const runDemo = async ({ keep, speed }: DemoArguments): Promise<number> => {
  const screen = createScreen(process.stdout);
  const ending = new AbortController();
  process.once('SIGINT', () => ending.abort('interrupted'));
  process.once('SIGTERM', () => ending.abort('interrupted'));

  screen.line(`▸ starting an embedded cluster and Azure (machines boot ${speed} × as fast)`);
  const { child: clusterChild, address } = await startCluster(speed);
  const ledger = createLedger(screen);
  const controller = startController(address, (decision) => ledger.note(decision));
  const children = [controller, clusterChild];
  for (const child of children) void child.ended.then((how) => ending.abort(`process ${child.pid} ended (${how})`));
  try {
    const cluster = await connect(address, ending.signal);
    await cluster.ready(ending.signal);
    await applyManifests(cluster, screen);
    const results = await play({ cluster, screen, prices: ledger.prices, signal: ending.signal });
    screen.end();
    for (const line of summaryOf(results, ledger.savedPerHour())) screen.line(line);
    const failed = results.some(({ failure }) => failure !== undefined);
    if (failed) for (const line of ['Last lines of the controller:', ...controller.lastLines()]) screen.line(line);
    if (keep && !failed) await stayUp(address, { screen, signal: ending.signal });
    return failed ? 1 : 0;
  } finally {
    await stopAll(children);
  }
};

const stayUp = (address: ClusterAddress, { screen, signal }: { screen: Screen; signal: AbortSignal }): Promise<void> => {
  for (const line of howToUse(address)) screen.line(line);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
};
