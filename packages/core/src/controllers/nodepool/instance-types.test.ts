import { describe, expect, test } from '@jest/globals';
import { defaultLabelCatalog, labels } from '../../apis/index.ts';
import type { NodePool, RequirementSpec } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import { CloudProviderError } from '../../cloudprovider/index.ts';
import { conditionOf } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { labelRequirements } from '../../requirements/index.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { instanceTypes } from './instance-types.ts';

const { signal } = new AbortController();

const typeOfArch = (name: string, arch: string, isAvailable = true): InstanceType => ({
  name,
  capacity: {},
  overhead: {},
  requirements: labelRequirements({ [labels.instanceType]: name, [labels.arch]: arch }),
  offerings: ['spot', 'on-demand'].map((capacityType) => ({
    ...{ zone: 'z1', capacityType, pricePerHour: 1, isAvailable },
    requirements: labelRequirements({ [labels.zone]: 'z1', [labels.capacityType]: capacityType }),
  })),
});

interface Given {
  readonly requirements?: readonly RequirementSpec[];
  readonly nodeLabels?: Readonly<Record<string, string>>;
  readonly minValues?: 'Strict' | 'BestEffort';
}

const startInstanceTypes = (
  getInstanceTypes: () => Promise<readonly InstanceType[]>,
  { requirements = [], nodeLabels = {}, minValues = 'Strict' }: Given = {},
) => {
  const cluster = new FakeCluster();
  const shell = fakeShell(cluster, { getInstanceTypes });
  const nodeClassRef = { group: 'test.dev', kind: 'TestNodeClass', name: 'default' };
  cluster.seed('NodePool', {
    metadata: { name: 'web', uid: 'uid-web', generation: 1 },
    spec: { template: { metadata: { labels: nodeLabels }, spec: { requirements, nodeClassRef } } },
  });
  const pool = (): NodePool => shell.caches.nodePools.get({ name: 'web' }) as NodePool;
  const controller = instanceTypes(shell, { labelCatalog: defaultLabelCatalog, minValues });
  return { cluster, shell, pool, reconcile: () => controller.reconcile(pool(), { signal }) };
};

const evaluated = async (types: readonly InstanceType[], given?: Given) => {
  const { cluster, shell, pool, reconcile } = startInstanceTypes(() => Promise.resolve(types), given);
  await reconcile();
  const writes = cluster.writes.length;
  await reconcile();
  expect(cluster.writes).toHaveLength(writes);
  const { status } = pool();
  return { condition: conditionOf(status?.conditions, 'InstanceTypesMatch'), count: status?.instanceTypes, events: shell.recorded };
};

describe('a NodePool says how many instance types meet its requirements', () => {
  const types = [typeOfArch('a', 'amd64'), typeOfArch('b', 'amd64'), typeOfArch('c', 'arm64')];

  test('with the available offerings, and what each requirement removed', async () => {
    const { condition, count, events } = await evaluated(types, {
      requirements: [{ key: labels.arch, operator: 'In', values: ['amd64'] }],
    });
    expect(condition).toMatchObject({
      status: 'True',
      message: '2 of 3 instance types meet the requirements, with 4 available offerings; removed: 1 by kubernetes.io/arch In [amd64]',
    });
    expect(count).toBe(2);
    expect(events).toEqual([]);
  });

  test('none: the condition is False, and an event says so', async () => {
    const { condition, count, events } = await evaluated(types, {
      requirements: [
        { key: labels.arch, operator: 'In', values: ['arm64'] },
        { key: labels.instanceType, operator: 'NotIn', values: ['c'] },
      ],
    });
    const message =
      'None of 3 instance types meets the requirements; removed: 2 by kubernetes.io/arch In [arm64], 1 by node.kubernetes.io/instance-type NotIn [c]';
    expect(condition).toMatchObject({ status: 'False', reason: 'NoCompatibleInstanceTypes', message });
    expect(count).toBe(0);
    expect(events[0]).toMatchObject({
      type: 'Warning',
      reason: 'NoCompatibleInstanceTypes',
      subject: { kind: 'NodePool', uid: 'uid-web' },
    });
  });

  test('some, and none is in stock', async () => {
    const { condition } = await evaluated([typeOfArch('a', 'amd64', false)]);
    expect(condition).toMatchObject({
      status: 'False',
      reason: 'NoAvailableOfferings',
      message: '1 of 1 instance types meet the requirements, and none has an available offering',
    });
  });

  test('none that has a label of the template: the condition is False, and names the label', async () => {
    const { condition, count } = await evaluated([typeOfArch('a', 'amd64'), typeOfArch('b', 'amd64')], {
      nodeLabels: { [labels.arch]: 'arm64' },
    });
    expect(condition).toMatchObject({
      status: 'False',
      reason: 'NoCompatibleInstanceTypes',
      message: 'None of 2 instance types meets the requirements; removed: 2 by kubernetes.io/arch In [arm64]',
    });
    expect(count).toBe(0);
  });

  test('fewer in stock than minValues asks for: the condition is False where the policy holds to it', async () => {
    const stocked = [typeOfArch('a', 'amd64'), typeOfArch('b', 'amd64'), typeOfArch('c', 'amd64', false)];
    const requirements = [{ key: labels.instanceType, operator: 'Exists', minValues: 3 }] as const;
    const { condition, events } = await evaluated(stocked, { requirements });
    expect(condition).toMatchObject({
      status: 'False',
      reason: 'MinValuesNotMet',
      message:
        '3 of 3 instance types meet the requirements, and those with available offerings fall short of minValues (2 of 3 values of node.kubernetes.io/instance-type)',
    });
    expect(events[0]?.message).toContain('due to minValues incompatibility: 3 of 3');
    expect((await evaluated(stocked, { requirements, minValues: 'BestEffort' })).condition).toMatchObject({ status: 'True' });
    const enough = [...stocked, typeOfArch('d', 'amd64')];
    expect((await evaluated(enough, { requirements })).condition).toMatchObject({ status: 'True' });
  });
});

test('a provider that does not answer is called again after a minute, and nothing is written; one that answers after five', async () => {
  const unanswered = startInstanceTypes(() => Promise.reject(new CloudProviderError('network', 'no answer')));
  expect(await unanswered.reconcile()).toEqual({ kind: 'requeue', afterMs: 60_000 });
  expect(unanswered.cluster.writes).toEqual([]);
  expect(await startInstanceTypes(() => Promise.resolve([])).reconcile()).toEqual({ kind: 'requeue', afterMs: 300_000 });
});
