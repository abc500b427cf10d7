import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_KUBELET_DELAYS, type EmbeddedCluster, type EmbeddedClusterOptions, startEmbeddedCluster } from '@karpenter/simulator';
import { type ArmEmulator, DEFAULT_LATENCIES } from '@karpenter/simulator/arm';

const folder = join(import.meta.dirname, '..', '..', 'chart', 'crds');
/** Paths of the chart’s CustomResourceDefinitions. */
export const crds = readdirSync(folder).map((name) => join(folder, name));

/** A cluster that has an Azure. */
export type TestCluster = EmbeddedCluster & { readonly arm: ArmEmulator };

const withAzure = (cluster: EmbeddedCluster): TestCluster => {
  const { arm } = cluster;
  if (arm === undefined) throw new Error('this cluster was started without an Azure');
  return { ...cluster, arm };
};

/** An embedded cluster with Karpenter's CRDs, for a controller in this process that lives on the cluster's clock. */
export const startTestCluster = async (options: EmbeddedClusterOptions = {}): Promise<TestCluster> =>
  withAzure(await startEmbeddedCluster({ crds, ...options }));

const hurried = <T extends object>(times: T, speed: number): T =>
  Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, Number(ms) / speed])) as T;

/** The same for a controller in another process: the clock is the real one, and only waiting for machines is shorter by `speed`. */
export const startHurriedCluster = (speed: number): Promise<TestCluster> =>
  startTestCluster({
    delays: hurried(DEFAULT_KUBELET_DELAYS, speed),
    azure: { latencies: hurried(DEFAULT_LATENCIES, speed) },
  });
