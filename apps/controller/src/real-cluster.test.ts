import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '@karpenter/runtime';
import { parse } from 'yaml';
import { POD_GROUP_KIND } from './chart/kinds-of-others.ts';
import { aDeployment, aNodeClass, aPool, oneOf } from './testing/clusters/objects.ts';
import { controlPlane, describeWithControlPlane } from './testing/processes/control-plane.ts';
import { RealStory } from './testing/processes/real-story.ts';

jest.setTimeout(600_000);

const zone = 'topology.kubernetes.io/zone';
const budget = { namespace: 'default', name: 'held' };

/** The claim of a node, by their names. */
const claimOf = (nodeName: string): string => nodeName.replace(/^aks-/, '');

/** A pool that launches nothing, and a pod that is pinned to it. */
const pinnedTo = (name: string, pool: KubeObject): readonly KubeObject[] => [
  { ...pool, metadata: { name } },
  {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default' } },
    ...{ spec: { nodeSelector: { 'karpenter.sh/nodepool': name }, containers: [{ name: 'main', image: 'pause' }] } },
  },
];

/** A pool of types that nobody sells, and one whose class is not there. */
const unsold = aPool([oneOf('node.kubernetes.io/instance-type', 'no-such')]);
const classless = (): KubeObject => {
  const { spec, ...pool } = aPool([]);
  const { nodeClassRef } = spec.template.spec;
  const template = { ...spec.template, spec: { ...spec.template.spec, nodeClassRef: { ...nodeClassRef, name: 'absent' } } };
  return { ...pool, ...{ spec: { ...spec, template } } };
};

const spreadOver = (app: string): object => ({
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app } }, minDomains: 3 },
  ],
});

describeWithControlPlane("Karpenter on Kubernetes' own control plane", () => {
  let story: RealStory;

  beforeAll(async () => {
    story = await RealStory.start(controlPlane);
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
    await story.create(aDeployment({ name: 'web', replicas: 6 }));
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
    await story.create(aDeployment({ name: 'spread', replicas: 3, podSpec: spreadOver('spread') }));
    await allRun('spread', 3);
    const zoneOf = new Map((await story.nodes()).map(({ metadata }) => [metadata.name, metadata.labels?.[zone]]));
    const zones = (await story.running('spread')).map(({ spec }) => zoneOf.get(spec.nodeName ?? ''));
    expect(zones.sort()).toEqual(['eastus-1', 'eastus-2', 'eastus-3']);
  });

  test('a disruption budget holds a node that is deleted, until it allows the eviction', async () => {
    await story.create(aDeployment({ name: 'held', replicas: 1 }));
    await allRun('held', 1);
    const selector = { matchLabels: { app: 'held' } };
    await story.create({
      ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: budget },
      ...{ spec: { minAvailable: 1, selector } },
    });
    const [pod] = await story.running('held');
    const name = pod?.spec.nodeName ?? '';
    await story.cluster.client.delete('Node', { name });
    await story.until('the drain is held', async () => (await story.reported('Node')).some((text) => text.startsWith('FailedDraining')));
    expect((await story.running('held')).map(({ metadata }) => metadata.name)).toEqual([pod?.metadata.name]);
    const waiting = `Waiting for pods: default/${pod?.metadata.name ?? ''} (`;
    const says = (reason: string) => async (): Promise<boolean> => {
      const said = await Promise.all([
        story.kubectl('describe', 'node', name),
        story.kubectl('describe', 'nodeclaim', claimOf(name)),
        story.kubectl('get', 'events', '--field-selector', 'reason=FailedDraining,involvedObject.kind=NodeClaim'),
        story.kubectl('get', 'nodeclaim', claimOf(name), '-o', 'jsonpath={.status.conditions[?(@.type=="Drained")].message}'),
      ]);
      return said.every((text) => text.includes(waiting) && text.includes(reason));
    };
    await story.until('kubectl names the pod and its budget on node and claim', says('disruption budget'));

    await story.kubectl('annotate', 'pod', pod?.metadata.name ?? '', 'karpenter.sh/do-not-disrupt=true');
    await story.until('kubectl names the annotation', says('annotation karpenter.sh/do-not-disrupt'));
    await story.kubectl('annotate', 'pod', pod?.metadata.name ?? '', 'karpenter.sh/do-not-disrupt-');

    await story.cluster.client.patch('PodDisruptionBudget', budget, { type: 'merge', body: { spec: { minAvailable: 0 } } });
    await story.until('the node is gone', async () => !(await story.nodes()).some(({ metadata }) => metadata.name === name));
    await allRun('held', 1);
  });

  test('kubectl shows why a pool launches nothing, and a pod that is pinned to it waits', async () => {
    for (const object of [...pinnedTo('unsold', unsold), ...pinnedTo('classless', classless())]) await story.create(object);
    await story.shows(/^unsold default 0 True \S+ 0 /m, 'get', 'nodepools', '-o', 'wide');
    await story.shows(/^classless absent 0 False /m, 'get', 'nodepools');
    await story.shows(
      /None of \d+ instance types meets the requirements; removed: .*\d+ by node.kubernetes.io\/instance-type/,
      'describe',
      'nodepool',
      'unsold',
    );
    await story.shows(/Warning NoCompatibleInstanceTypes/, 'describe', 'nodepool', 'unsold');
    await story.shows(
      /FailedScheduling .*NodePool unsold: .*none of them meet node.kubernetes.io\/instance-type/,
      'describe',
      'pod',
      'unsold',
    );
    await story.shows(/FailedScheduling .*NodePool classless[^\n]*not [Rr]eady/, 'describe', 'pod', 'classless');
    expect(await story.kubectl('describe', 'pod', 'classless')).not.toContain('did you mean');
    for (const kind of ['nodepool', 'pod']) await story.kubectl('delete', kind, 'unsold', 'classless', '--wait=false');
  });

  test('kubectl waits for the conditions of pools, and sees a changed NodeClass as drift at once', async () => {
    const [name = ''] = (await story.nodes()).map(({ metadata }) => metadata.name);
    await story.kubectl('wait', 'nodepool/general', '--for=condition=Ready', '--timeout=5s');
    expect(await story.kubectl('get', 'nodeclaims')).toMatch(/^\S+ Standard_\S+ \S+ eastus-\d \S+ True /m);
    await story.kubectl('patch', 'aksnodeclass', 'default', '--type=merge', '-p', '{"spec":{"osDiskSizeGB":100}}');
    await story.kubectl('wait', `nodeclaim/${claimOf(name)}`, '--for=condition=Drifted', '--timeout=10s');
  });

  test('a claim that asks for what the rules forbid is refused by the API server in the words of the rule', async () => {
    const bad = aPool([{ key: 'karpenter.sh/mine', operator: 'Exists' }]);
    await expect(story.create({ ...bad, metadata: { name: 'bad' } })).rejects.toThrow(/karpenter\.sh/);
  });

  test('pods of a PodGroup get a node once all are there', async () => {
    await story.create(parse(POD_GROUP_KIND) as KubeObject);
    await story.controller.said('the API server serves this kind now');
    await story.create({
      ...{ apiVersion: 'scheduling.x-k8s.io/v1alpha1', kind: 'PodGroup', metadata: { name: 'train', namespace: 'default' } },
      ...{ spec: { minMember: 3 } },
    });
    const labels = { 'scheduling.x-k8s.io/pod-group': 'train' };
    await story.create(aDeployment({ name: 'train', replicas: 2, cpu: '3', labels }));
    const why = '3 pods of default/train must have a place together, and there are 2';
    await story.until('the reason names the group', async () => (await story.reported('Pod')).some((text) => text.includes(why)));
    expect(await story.running('train')).toEqual([]);
    await story.scale('train', 3);
    await allRun('train', 3);
  });

  test('without pods nothing is left, neither in the cluster nor in Azure', async () => {
    for (const name of ['web', 'spread', 'held', 'train']) await story.scale(name, 0);
    await countsAre(0);
    expect(story.cluster.failedBootstraps).toEqual([]);
  });
});
