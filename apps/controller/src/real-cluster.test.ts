import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '@karpenter/runtime';
import { aDeployment, aNodeClass, aPool, oneOf } from './testing/clusters/objects.ts';
import { RealStory } from './testing/processes/real-story.ts';

/** A folder with `etcd`, `kube-apiserver`, `kube-controller-manager` and `kube-scheduler`: CONTRIBUTING.md says how to build them. */
const assets = process.env['KARPENTER_CONTROL_PLANE'];

jest.setTimeout(600_000);

const zone = 'topology.kubernetes.io/zone';
const budget = { namespace: 'default', name: 'held' };

const spreadOver = (app: string): object => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app } }, minDomains: 3 },
  ],
});

if (assets === undefined) {
  process.stderr.write('KARPENTER_CONTROL_PLANE names no folder: the suite of a real control plane cannot run here\n');
}

/** Skipped where those programs are not: CI does not build them, which takes ten minutes. */
const describeWithControlPlane = assets === undefined ? describe.skip : describe;

describeWithControlPlane("Karpenter on Kubernetes' own control plane", () => {
  let story: RealStory;

  beforeAll(async () => {
    story = await RealStory.start(assets ?? '');
    await story.create(aNodeClass as KubeObject);
    await story.create(aPool([oneOf('karpenter.azure.com/sku-cpu', '2', '4', '8'), oneOf(zone, 'eastus-1', 'eastus-2', 'eastus-3')]));
  });

  afterAll(() => story[Symbol.asyncDispose]());

  const allRun = (app: string, count: number): Promise<void> =>
    story.until(`${count} pods of ${app} run`, async () => (await story.running(app)).length === count);

  const countsAre = (count: number): Promise<void> =>
    story.until(`there are ${count} machines, on every side`, async () =>
      Object.values(await story.machines()).every((counted) => counted === count),
    );

  test('kube-scheduler puts pending pods on the node that was made for them', async () => {
    await story.create(aDeployment({ name: 'web', replicas: 6 }) as KubeObject);
    await allRun('web', 6);
    await countsAre(1);
    expect((await story.nodes()).map(({ status }) => status?.capacity?.['cpu'])).toEqual(['8']);
  });

  test('fewer pods move to a smaller node, and the large one goes', async () => {
    await story.scale('web', 1);
    await story.until('the node has two cores', async () => (await story.nodes())[0]?.status?.capacity?.['cpu'] === '2');
    await countsAre(1);
    await allRun('web', 1);
  });

  test('pods that must spread run in three zones', async () => {
    await story.create(aDeployment({ name: 'spread', replicas: 3, podSpec: spreadOver('spread') }) as KubeObject);
    await allRun('spread', 3);
    const zoneOf = new Map((await story.nodes()).map(({ metadata }) => [metadata.name, metadata.labels?.[zone]]));
    const zones = (await story.running('spread')).map(({ spec }) => zoneOf.get(spec.nodeName ?? ''));
    expect(zones.sort()).toEqual(['eastus-1', 'eastus-2', 'eastus-3']);
  });

  test('a disruption budget holds a node that is deleted, until it allows the eviction', async () => {
    await story.create(aDeployment({ name: 'held', replicas: 1 }) as KubeObject);
    await allRun('held', 1);
    const selector = { matchLabels: { app: 'held' } };
    await story.create({
      ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: budget },
      ...{ spec: { minAvailable: 1, selector } },
    });
    const [pod] = await story.running('held');
    const name = pod?.spec.nodeName ?? '';
    await story.cluster.client.delete('Node', { name });
    await story.until('the drain is held', async () => (await story.told('Node')).some((text) => text.startsWith('FailedDraining')));
    expect((await story.running('held')).map(({ metadata }) => metadata.name)).toEqual([pod?.metadata.name]);

    await story.cluster.client.patch('PodDisruptionBudget', budget, { type: 'merge', body: { spec: { minAvailable: 0 } } });
    await story.until('the node is gone', async () => !(await story.nodes()).some(({ metadata }) => metadata.name === name));
    await allRun('held', 1);
  });

  test('a claim that asks for what the rules forbid is refused by the API server in the words of the rule', async () => {
    const bad = aPool([{ key: 'karpenter.sh/mine', operator: 'Exists' }]);
    await expect(story.create({ ...bad, metadata: { name: 'bad' } })).rejects.toThrow(/karpenter\.sh/);
  });

  test('without pods nothing is left, neither in the cluster nor in Azure', async () => {
    for (const name of ['web', 'spread', 'held']) await story.scale(name, 0);
    await countsAre(0);
    expect(story.cluster.failedBootstraps).toEqual([]);
  });
});
