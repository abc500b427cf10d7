import { describe, expect, jest, test } from '@jest/globals';
import { knownRefusals } from '@karpenter/azure-emulator';
import { isRunning, nodesOf, podsOf, settledCensus } from './testing/clusters/cluster-census.ts';
import { aDeployment, aNodeClass, aPool, oneOf } from './testing/clusters/objects.ts';
import { storyMode } from './testing/stories/provision-mode.ts';
import { retailPriceOf } from './testing/stories/retail-price.ts';
import { type Story, startStory } from './testing/stories/story.ts';

// A busy machine takes its time.
jest.setTimeout(300_000);

const fourCores = oneOf('karpenter.azure.com/sku-cpu', '4');
const running = (story: Story, app?: string): number => podsOf(story.cluster, app).filter(isRunning).length;

const settled = async (story: Story, pods: number, machines: number): Promise<void> => {
  const expected = JSON.stringify(settledCensus(pods, machines));
  await story.until(`there is ${expected}`, () => JSON.stringify(story.census()) === expected);
};

const onlySize = ({ cluster }: Story): string => {
  const [vm, ...more] = cluster.arm.vms();
  if (vm === undefined || more.length > 0) throw new Error(`there is not one machine: ${JSON.stringify(cluster.arm.vms())}`);
  return vm.size;
};

describe('pending pods', () => {
  test('get the cheapest node that they fit on, and when they go it goes', async () => {
    const sizes = ['Standard_D4s_v3', 'Standard_D4as_v5', 'Standard_D4s_v5', 'Standard_D8s_v5', 'Standard_D4ds_v5'];
    await using story = await startStory(aNodeClass, aPool([oneOf('node.kubernetes.io/instance-type', ...sizes)]));
    story.create(aDeployment({ replicas: 3 }));
    await settled(story, 3, 1);
    const prices = await Promise.all(sizes.map((size) => retailPriceOf(story.cluster, size)));
    expect(await retailPriceOf(story.cluster, onlySize(story))).toBe(Math.min(...prices));
    expect(story.reported('Pod', 'Nominated')).toContainEqual(expect.stringContaining('nodepool/general'));

    story.scale('inflate', 0);
    await settled(story, 0, 0);
  });

  test('that fit on no machine at all stay pending, and an event says why', async () => {
    await using story = await startStory(aNodeClass, aPool());
    story.create(aDeployment({ replicas: 1, cpu: '5000' }));
    await story.until('an event of the pod says why', () =>
      story.reported('Pod', 'FailedScheduling').some((why) => /general.*cpu/s.test(why)),
    );
    expect(story.census()).toEqual(settledCensus(0, 0));
  });

  test('that need a label of no pool get an event that names it', async () => {
    await using story = await startStory(aNodeClass, aPool());
    story.create(aDeployment({ replicas: 1, podSpec: { nodeSelector: { 'example.com/rack': 'r1' } } }));
    await story.until('an event of the pod says why', () =>
      story.reported('Pod', 'FailedScheduling').some((why) => why.includes('example.com/rack')),
    );
    expect(story.census()).toEqual(settledCensus(0, 0));
  });
});

describe('Azure has no machine to give', () => {
  test.each(['refuse', 'fail'] as const)('in one zone (%s): another offering is taken, and nothing is left behind', async (kind) => {
    await using story = await startStory(aNodeClass, aPool([fourCores]));
    const { arm } = story.cluster;
    const effect = { kind, refusal: knownRefusals.zonalAllocationFailed() };
    arm.faults.add({ operation: storyMode.create, times: 1, effect });
    story.create(aDeployment({ replicas: 2 }));
    await settled(story, 2, 1);
    const zones = arm.requests.of(storyMode.create).map(({ body }) => (body as { readonly zones: readonly string[] }).zones[0]);
    expect(zones.at(-1)).not.toBe(zones[0]);
    expect(arm.vms().map(({ zone }) => zone)).toEqual([zones.at(-1)]);
  });
});

describe('a NodePool with a limit', () => {
  test('fills up to it, and the other pods stay pending with the reason', async () => {
    await using story = await startStory(aNodeClass, aPool([fourCores], { limits: { cpu: '4' } }));
    story.create(aDeployment({ replicas: 8 }));
    await story.until('one machine is full', () => running(story) > 1);
    await story.until('events of the pods say why', () =>
      story.reported('Pod', 'FailedScheduling').some((message) => message.includes('limit')),
    );
    await story.pass(60_000);
    expect(story.census()).toMatchObject({ vms: 1, claims: 1, nics: 1, disks: 1 });
    expect(podsOf(story.cluster).filter(({ spec }) => spec.nodeName === undefined)).toHaveLength(8 - running(story));
  });
});

describe('a node that is deleted by hand', () => {
  test('takes its machine with it, and its pods run on another one', async () => {
    await using story = await startStory(aNodeClass, aPool([fourCores]));
    story.create(aDeployment({ replicas: 2 }));
    await settled(story, 2, 1);
    const [before] = story.cluster.arm.vms();
    story.cluster.local.delete('Node', { name: nodesOf(story.cluster)[0]?.metadata.name ?? '' });
    await story.until('the machine is gone', () => story.cluster.arm.vms().every(({ name }) => name !== before?.name));
    await settled(story, 2, 1);
  });

  test('waits for a disruption budget before it goes', async () => {
    await using story = await startStory(aNodeClass, aPool([fourCores]));
    const budget = { name: 'inflate', namespace: 'default' };
    const selector = { matchLabels: { app: 'inflate' } };
    story.create(aDeployment({ replicas: 2 }));
    await settled(story, 2, 1);
    story.cluster.local.create({
      ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: budget },
      ...{ spec: { minAvailable: 2, selector } },
    });
    const [before] = story.cluster.arm.vms();
    const name = nodesOf(story.cluster)[0]?.metadata.name ?? '';
    const isThere = (): boolean => story.cluster.arm.vms().some((vm) => vm.name === before?.name);
    story.cluster.local.delete('Node', { name });
    await story.until('the drain is blocked', () => story.reported('Node', 'FailedDraining').length > 0);
    await story.pass(60_000);
    expect(isThere()).toBe(true);
    expect(podsOf(story.cluster).filter(({ spec }) => spec.nodeName === name)).toHaveLength(2);

    story.cluster.local.patch('PodDisruptionBudget', budget, { type: 'merge', body: { spec: { minAvailable: 1 } } });
    await story.until('the machine is gone', () => !isThere());
    await settled(story, 2, 1);
  });
});

describe('consolidation', () => {
  test('puts the pods of two half-empty nodes on one that costs less, and saves what it said', async () => {
    await using story = await startStory(aNodeClass, aPool([fourCores]));
    story.create(aDeployment({ name: 'a', replicas: 6, cpu: '500m' }));
    await story.until('the first node is full', () => running(story, 'a') === 6);
    story.create(aDeployment({ name: 'b', replicas: 6, cpu: '500m' }));
    await story.until('the second is full', () => running(story, 'b') === 6);
    const before = await Promise.all(story.cluster.arm.vms().map(({ size }) => retailPriceOf(story.cluster, size)));
    expect(before).toHaveLength(2);

    story.cluster.local.patch(
      'NodePool',
      { name: 'general' },
      {
        type: 'json',
        body: [{ op: 'replace', path: '/spec/template/spec/requirements/2/values', value: ['2', '4'] }],
      },
    );
    for (const name of ['a', 'b']) story.scale(name, 1);
    const smallest = async (): Promise<number> => retailPriceOf(story.cluster, onlySize(story));
    await story.until('two pods run on one small machine', () => {
      const { vms, nics, disks, claims, nodes } = story.census();
      const isOne = [vms, nics, disks, claims, nodes].every((count) => count === 1);
      return (
        isOne && running(story, 'a') === 1 && running(story, 'b') === 1 && nodesOf(story.cluster)[0]?.status?.capacity?.['cpu'] === '2'
      );
    });
    const saved = story.logged('command succeeded').reduce((sum, { savingsPerHour }) => sum + Number(savingsPerHour), 0);
    expect(await smallest()).toBeLessThan(Math.min(...before));
    expect(saved).toBeCloseTo(before.reduce((sum, price) => sum + price, 0) - (await smallest()), 3);
  });
});
