import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { SIMULATED_NODE_CLASS_CRD, simulatedNodeClassKind, startEmbeddedCluster } from '@karpenter/simulator';
import { copiedBundle } from '../testing/processes/bundle.ts';
import { startControllerProcess } from '../testing/processes/controller-process.ts';
import { emptyCloud } from '../testing/processes/empty-cloud.ts';
import { installedBeside } from '../testing/processes/installed-beside.ts';
import { crds } from '../testing/clusters/test-cluster.ts';
import { applyAll } from './apply.ts';
import { charts, describeWithHelm, helm } from './helm.ts';
import { account } from './installed.ts';
import { podEnvironment } from './pod-environment.ts';
import { renderChart } from './rendered.ts';

jest.setTimeout(60_000);

const { group, plural } = simulatedNodeClassKind;
const name = '@acme/karpenter-provider';
const values = {
  settings: { cloudProvider: name },
  extraRules: [{ apiGroups: [group], resources: [plural], verbs: ['list', 'watch', 'patch'] }],
  extraEnv: [{ name: 'EMPTY_REGION', value: 'here' }],
};

const bundle = copiedBundle();
afterAll(() => bundle[Symbol.dispose]());

describeWithHelm('a provider from outside', () => {
  test('when --cloud-provider names another package › the chart renders no Azure value', async () => {
    const objects = renderChart(values);
    expect(JSON.stringify(objects)).not.toMatch(/azure|BOOTSTRAP_TOKEN/i);
    await using cluster = await startEmbeddedCluster({ azure: false, authorization: 'RBAC', crds: [...crds, SIMULATED_NODE_CLASS_CRD] });
    cluster.create('{apiVersion: v1, kind: Namespace, metadata: {name: karpenter}}');
    await applyAll(
      cluster,
      objects.filter(({ kind }) => kind !== 'Deployment'),
    );
    const kubeconfig = join(dirname(bundle.path), 'kubeconfig');
    writeFileSync(kubeconfig, cluster.access.kubeconfigOf(account));
    installedBeside(bundle, name, emptyCloud({ nodeClass: simulatedNodeClassKind }));
    const ports = { METRICS_PORT: '0', HEALTH_PROBE_PORT: '0' };
    await using controller = startControllerProcess({ bundle, env: { ...podEnvironment(objects), KUBECONFIG: kubeconfig, ...ports } });
    await controller.said('became the leader');
    expect(await controller.kill('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    expect(cluster.access.accesses().filter(({ user, wasAllowed }) => user === account.name && !wasAllowed)).toEqual([]);
  });

  test('has to be allowed to read its NodeClass', () => {
    const { code, stderr } = helm('template', charts.controller, { settings: values.settings });
    expect(code).not.toBe(0);
    expect(stderr).toContain('values are missing: extraRules');
    expect(stderr).not.toContain('azure.');
  });
});
