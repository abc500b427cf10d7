import { nodeClaimCrd, nodePoolCrd } from '@karpenter/core/internal';
import { type Clock, fakeClock, type FakeClock } from '@karpenter/runtime';
import {
  createSimulatedCloudProvider,
  SIMULATED_NODE_CLASS_CRD,
  simulatedNodeClassKind,
  startEmbeddedCluster,
  startNodeClassReadiness,
} from '@karpenter/simulator';
import type { LocalApi } from '@karpenter/api-server';
import type { ControllerBundle } from '../controller/controller-child.ts';
import { kwokTypes } from '../controller/kwok-types.ts';
import type { UsageSample } from '../controller/own-usage.ts';
import { cloudAnswers } from '../controller/remote-cloud.ts';
import type { Ask } from '../controller/rpc.ts';
import { simulatedPool } from '../inputs/simulated-pool.ts';

/** An empty cluster with one pool, and Karpenter in a process of its own. */
export interface ScaleCluster extends AsyncDisposable {
  readonly local: LocalApi;
  readonly clock: Clock;
  /**
   * Lets time pass: at least 250 ms, and as much as the controller's decisions have taken of a processor since the last
   * step.
   */
  step(): Promise<void>;
  /** What the controller's process has used since it was last asked. */
  usage(): Promise<UsageSample>;
}

const { group, version, kind } = simulatedNodeClassKind;

/** As the suite sets it up: on demand, sizes below 32 cores, no limits, every budget open. */
const pool = simulatedPool(
  [
    { key: 'kubernetes.io/os', operator: 'In', values: ['linux'] },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] },
  ],
  { consolidationPolicy: 'WhenEmptyOrUnderutilized', consolidateAfter: '30s', budgets: [{ nodes: '100%' }] },
);

const STEP_MS = 250;
const START_MS = Date.UTC(2026, 5, 1);

/** Both clocks, moved together: first what happens in the cluster, then what the controller makes of it. */
const stepping = (clock: FakeClock, ask: Ask): (() => Promise<void>) => {
  let workedMs = 0;
  return async () => {
    const ms = STEP_MS + Math.round(workedMs);
    await clock.advance(ms);
    workedMs = (await ask('advance', ms)) as number;
  };
};

/** Starts it. Its time stands still but for its steps, so that a busy machine makes nothing late. */
export const startScaleCluster = async (bundle: ControllerBundle): Promise<ScaleCluster> => {
  await using stack = new AsyncDisposableStack();
  const clock = fakeClock(START_MS);
  const crds = [...[nodePoolCrd, nodeClaimCrd].map((crd) => JSON.stringify(crd, undefined, 1)), SIMULATED_NODE_CLASS_CRD];
  const cluster = stack.use(await startEmbeddedCluster({ clock, crds, azure: false, systemPool: false }));
  const { local, kubelets } = cluster;
  const cloud = createSimulatedCloudProvider({ local, clock, kubelets, instanceTypes: kwokTypes });
  cluster.addCloud(cloud.cloud);
  stack.use(startNodeClassReadiness(local, clock));
  local.create({ apiVersion: `${group}/${version}`, kind, metadata: { name: 'default' } });
  local.create(pool);
  const { ask } = stack.use(bundle.start({ server: cluster.apiUrl, startMs: START_MS, cloud: cloudAnswers(cloud) }));
  const all = stack.move();
  return {
    ...{ local, clock, step: stepping(clock, ask) },
    usage: async () => (await ask('usage')) as UsageSample,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
};
