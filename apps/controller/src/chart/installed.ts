import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { serviceAccountUser } from '@karpenter/api-server';
import type { TestCluster } from '../testing/clusters/test-cluster.ts';
import { applyAll } from './apply.ts';
import { podEnvironment } from './pod-environment.ts';
import { renderChart } from './rendered.ts';
import { valuesOfCluster } from './values-of-cluster.ts';

/** The account that the chart makes for a release `karpenter` in the namespace `karpenter`. */
export const account = serviceAccountUser('karpenter', 'karpenter');

/**
 * Installs the chart in a cluster, all but its Deployment: the cluster runs no images. Returns the environment of the
 * controller that the Deployment would run, with the chart's service account and no rights beside.
 */
export const install = async (
  cluster: TestCluster,
  values: Readonly<Record<string, unknown>> & { readonly azure?: object } = {},
): Promise<Readonly<Record<string, string>>> => {
  const own = valuesOfCluster(cluster);
  const objects = renderChart({ ...own, ...values, azure: { ...own.azure, ...values.azure } });
  cluster.create('{apiVersion: v1, kind: Namespace, metadata: {name: karpenter}}');
  await applyAll(
    cluster,
    objects.filter(({ kind }) => kind !== 'Deployment'),
  );
  const kubeconfig = join(dirname(cluster.kubeconfigPath), 'account.kubeconfig');
  writeFileSync(kubeconfig, cluster.access.kubeconfigOf(account));
  return { ...podEnvironment(objects), KUBECONFIG: kubeconfig };
};
