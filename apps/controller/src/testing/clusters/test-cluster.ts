import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Pod } from '@karpenter/core';
import type { KindRef, ApiObject } from '@karpenter/api-server';
import { type EmbeddedCluster, type EmbeddedClusterOptions, speedOptions, startEmbeddedCluster } from '@karpenter/simulator';
import type { ArmEmulator } from '@karpenter/azure-emulator';
import { eventually } from '../eventually.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'chart-crds', 'templates');
/** Paths of the chart’s CustomResourceDefinitions. */
export const crds = readdirSync(folder).map((name) => join(folder, name));

/** A cluster that has an Azure. */
export type TestCluster = EmbeddedCluster & { readonly arm: ArmEmulator };

const withAzure = (cluster: EmbeddedCluster): TestCluster => {
  const { arm } = cluster;
  if (arm === undefined) throw new Error('this cluster was started without an Azure');
  (globalThis as { readonly secretsOfTest?: string[] }).secretsOfTest?.push(arm.account.clientSecret);
  return { ...cluster, arm };
};

const pods: KindRef<Pod & ApiObject> = { kind: 'Pod' };

const isAtRest = ({ local }: TestCluster): boolean => {
  const own = local.list(pods, { namespace: 'kube-system' });
  return own.length > 0 && own.every(({ spec }) => spec.nodeName !== undefined);
};

/**
 * An embedded cluster with Karpenter's CRDs, for a controller in this process that lives on the cluster's clock. Its
 * own pods have their nodes: a controller that starts while the name service still waits for the system pool would
 * rightly make a node for it.
 */
export const startTestCluster = async (options: EmbeddedClusterOptions = {}): Promise<TestCluster> => {
  await using started = new AsyncDisposableStack();
  const cluster = withAzure(started.use(await startEmbeddedCluster({ crds, ...options })));
  await eventually("the cluster's own pods have nodes", () => isAtRest(cluster));
  started.move();
  return cluster;
};

/**
 * The same for a controller in another process: the clock is the real one, and only waiting for machines is shorter by
 * `speed`.
 */
export const startFastCluster = (speed: number): Promise<TestCluster> => startTestCluster(speedOptions(speed));
