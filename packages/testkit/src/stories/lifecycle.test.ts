import { describe, expect, jest, test } from '@jest/globals';
import type { CloudProvider, Node, NodePool } from '@karpenter/core';
import { interruptionFeed } from '@karpenter/core/provider-kit';
import { silentLogger } from '@karpenter/runtime';
import type { KubeObject } from '@karpenter/runtime';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool, storyTemplate } from './story-objects.ts';
import { runningPodCount, providerIdsOf } from './running-pods.ts';

jest.setTimeout(300_000);

const MINUTE = 60_000;
const { signal } = new AbortController();
const reasonsOf = (story: StoryCluster): readonly string[] =>
  story.decisions.flatMap((decision) => (decision.kind === 'claim-disrupted' ? decision.reason : []));
const listEvents = async (story: StoryCluster) =>
  (await story.kube.list<KubeObject & { readonly reason?: string; readonly message?: string }>('Event', { namespace: 'default' })).items;
const eventsOf = async (story: StoryCluster): Promise<ReadonlySet<string | undefined>> =>
  new Set((await listEvents(story)).map(({ reason }) => reason));
const messagesOf = async (story: StoryCluster): Promise<readonly string[]> => (await listEvents(story)).map(({ message = '' }) => message);
const conditionOf = (pool: NodePool | undefined, type: string) => pool?.status?.conditions?.find((each) => each.type === type);

/** Waits until the five pods run on one machine that is another than before. */
const fiveRunElsewhere = (story: StoryCluster, before: readonly string[]): Promise<void> =>
  story.until(
    'five pods run elsewhere',
    async () => {
      const now = await providerIdsOf(story);
      return now.length === 1 && now[0] !== before[0] && (await runningPodCount(story)) === 5;
    },
    20 * MINUTE,
  );

/** Five pods on one node. */
const aRunningCluster = async (
  pool: KubeObject = aStoryPool(),
  options: Parameters<typeof aStoryCluster>[0] = {},
): Promise<StoryCluster> => {
  const story = await aStoryCluster(options);
  await story.create(pool, aStoryDeployment(5));
  await story.until('five pods run', async () => (await runningPodCount(story)) === 5);
  return story;
};

/** Karpenter again, with a cloud that is different in some respect. */
const restartWith = async (story: StoryCluster, cloud: Partial<CloudProvider>): Promise<void> => {
  await story.kill();
  Object.assign(story.cloud, cloud);
  story.start();
};

const onlyNode = async (story: StoryCluster): Promise<Node> => {
  const [node, ...others] = await story.nodes();
  if (node === undefined || others.length > 0) throw new Error('there is one node');
  return node;
};

describe('a machine that comes to nothing', () => {
  test('because its node is never ready is deleted after the time that was set, and its pods run on another', async () => {
    await using story = await aStoryCluster({ initializationMs: 10 * MINUTE });
    story.cloud.faults.add({ fault: { kind: 'never-ready' }, times: 1 });
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('a node has come', async () => (await story.nodes()).length === 1);
    await story.pass(9 * MINUTE);
    expect(reasonsOf(story)).toEqual([]);
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5, 20 * MINUTE);
    expect(reasonsOf(story)).toEqual(['initialization_timeout']);
    await story.until('one machine is left', async () => (await providerIdsOf(story)).length === 1);
  });

  const spot = storyTemplate({ requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }] });
  const cheap = { ...aStoryPool({ ...spot, weight: 10 }), metadata: { name: 'cheap' } };
  const noPermission = { fault: { kind: 'failing', message: 'no permission' }, capacityType: 'spot' } as const;

  test('when its launch failed once › another pool takes the pods', async () => {
    await using story = await aStoryCluster();
    story.cloud.faults.add(noPermission);
    await story.create(cheap, aStoryPool());
    await story.until('both pools are ready', async () => conditionOf(await story.pool('cheap'), 'Ready')?.status === 'True');
    await story.create(aStoryDeployment(5));
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5, 20 * MINUTE);
    expect((await story.claims()).map(({ metadata }) => metadata.labels?.['karpenter.sh/nodepool'])).toContain('general');
  });

  test('when no other pool can serve › its pool pauses after two failures and says so, until another pool takes the pods', async () => {
    await using story = await aStoryCluster();
    story.cloud.faults.add(noPermission);
    await story.create(cheap);
    await story.until('the pool is ready', async () => conditionOf(await story.pool('cheap'), 'Ready')?.status === 'True');
    await story.create(aStoryDeployment(5));
    const saidOf = async () => conditionOf(await story.pool('cheap'), 'LaunchBackoff');
    await story.until('the pool pauses', async () => (await saidOf())?.status === 'True', 30 * MINUTE);
    const said = await saidOf();
    expect(said).toMatchObject({ reason: 'LaunchFailed' });
    expect(said?.message).toContain('2 launches in a row failed');
    expect(said?.message).toContain('no permission');
    expect(conditionOf(await story.pool('cheap'), 'NodeRegistrationHealthy')?.status).toBe('False');
    await story.create(aStoryPool());
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5, 20 * MINUTE);
  });
});

describe('a cloud that does not answer', () => {
  const silent = (): Promise<never> => new Promise(() => undefined);

  test('to the question what it offers: pods still get nodes, and empty nodes still go', async () => {
    await using story = await aRunningCluster();
    Object.assign(story.cloud, { getInstanceTypes: silent });
    await story.create({ ...aStoryDeployment(8), metadata: { name: 'other', namespace: 'default' } });
    await story.until('all thirteen run', async () => (await runningPodCount(story)) === 13, 2 * MINUTE);
    await story.scale('inflate', 0);
    await story.scale('other', 0);
    await story.until('no node is left', async () => (await story.nodes()).length === 0, 10 * MINUTE);
  });

  test('when a machine is to be deleted: other machines go meanwhile, and that one when it answers', async () => {
    await using story = await aRunningCluster();
    const first = await onlyNode(story);
    const { cloud } = story;
    const remove = cloud.delete.bind(cloud);
    Object.assign(cloud, {
      delete: (claim: Parameters<typeof remove>[0], options: Parameters<typeof remove>[1]) =>
        claim.metadata.name === first.metadata.name ? silent() : remove(claim, options),
    });
    await story.create({ ...aStoryDeployment(8), metadata: { name: 'other', namespace: 'default' } });
    await story.until('all thirteen run', async () => (await runningPodCount(story)) === 13);
    await story.scale('inflate', 0);
    await story.scale('other', 0);
    await story.until('only the first is left', async () => (await story.nodes()).length === 1, 10 * MINUTE);
    Object.assign(cloud, { delete: remove });
    await story.until('no node is left', async () => (await story.nodes()).length === 0, 10 * MINUTE);
  });
});

describe('a pool whose NodeClass is gone', () => {
  test('launches nothing, and its empty nodes go all the same', async () => {
    await using story = await aRunningCluster();
    await story.kube.delete('SimulatedNodeClass', { name: 'default' });
    await story.until('the pool is not ready', async () => conditionOf(await story.pool('general'), 'Ready')?.status === 'False');
    await story.scale('inflate', 0);
    await story.until('no machine is left', async () => (await providerIdsOf(story)).length === 0, 10 * MINUTE);
    await story.scale('inflate', 2);
    await story.pass(2 * MINUTE);
    expect(await story.claims()).toEqual([]);
  });
});

describe('a static pool', () => {
  test('has as many machines as it says, with or without pods, also when one is lost', async () => {
    await using story = await aStoryCluster({ staticCapacity: true });
    await story.create({ ...aStoryPool(), spec: { ...aStoryPool().spec, replicas: 3 } } as KubeObject);
    await story.until(
      'three nodes are up',
      async () => (await story.nodes()).filter(({ metadata }) => metadata.labels?.['karpenter.sh/initialized'] === 'true').length === 3,
    );
    const before = await providerIdsOf(story);
    await story.pass(5 * MINUTE);
    expect(await providerIdsOf(story)).toEqual(before);

    story.cloud.loseMachine(before[0] ?? '');
    await story.until(
      'three machines run again',
      async () => {
        const now = await providerIdsOf(story);
        return now.length === 3 && !now.includes(before[0] ?? '');
      },
      20 * MINUTE,
    );

    await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body: { spec: { replicas: 1 } } });
    await story.until('one machine is left', async () => (await providerIdsOf(story)).length === 1);
    await story.pass(5 * MINUTE);
    expect(await providerIdsOf(story)).toHaveLength(1);
  });
});

describe('a node that falls ill', () => {
  const repairPolicies = [{ conditionType: 'DiskBroken', conditionStatus: 'True', tolerationMs: 2 * MINUTE }] as const;
  const fallsIll = async (story: StoryCluster): Promise<void> => {
    const { metadata, status } = await onlyNode(story);
    const lastTransitionTime = new Date(story.clock.now()).toISOString().replace(/\.\d+Z$/, 'Z');
    const conditions = [...(status?.conditions ?? []), { type: 'DiskBroken', status: 'True', lastTransitionTime }];
    await story.kube.patchStatus('Node', { name: metadata.name }, { type: 'merge', body: { status: { conditions } } });
  };

  test('is borne for a while, then replaced', async () => {
    await using story = await aRunningCluster(aStoryPool(), { nodeRepair: true });
    await restartWith(story, { repairPolicies });
    const before = await providerIdsOf(story);
    await fallsIll(story);
    await story.pass(MINUTE);
    expect(await providerIdsOf(story)).toEqual(before);
    await fiveRunElsewhere(story, before);
    expect(reasonsOf(story)).toContain('unhealthy');
  });

  test('is kept while nobody switched repair on', async () => {
    await using story = await aRunningCluster();
    await restartWith(story, { repairPolicies });
    const before = await providerIdsOf(story);
    await fallsIll(story);
    await story.pass(10 * MINUTE);
    expect(await providerIdsOf(story)).toEqual(before);
  });
});

describe('a provider with a hook', () => {
  test('keeps a new node closed until it is satisfied', async () => {
    await using story = await aStoryCluster();
    let isSatisfied = false;
    const check = () => Promise.resolve(isSatisfied ? ({ kind: 'satisfied' } as const) : ({ kind: 'waiting' } as const));
    await restartWith(story, { registrationHooks: [{ name: 'NetworkAttached', check }] });
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('a node is ready', async () =>
      (await story.nodes()).some(({ status }) => status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True')),
    );
    await story.pass(MINUTE);
    const [claim] = await story.claims();
    expect(claim?.status?.conditions?.find(({ type }) => type === 'Registered')).toMatchObject({
      status: 'Unknown',
      reason: 'RegistrationHookPending',
      message: 'NetworkAttached',
    });
    expect((await onlyNode(story)).spec?.taints).toContainEqual({ key: 'karpenter.sh/unregistered', effect: 'NoExecute' });
    expect(await runningPodCount(story)).toBe(0);
    isSatisfied = true;
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5, MINUTE);
  });
});

describe('a provider with knobs', () => {
  test('adds labels and annotations to claim and node, and taints to the node, before pods run there', async () => {
    await using story = await aStoryCluster();
    const adds = {
      labels: { 'example.com/rack': 'r7' },
      annotations: { 'example.com/address': '10.0.0.7' },
      taints: [{ key: 'example.com/slow', effect: 'PreferNoSchedule' }],
    } as const;
    await restartWith(story, {
      registrationHooks: [{ name: 'RackAssigned', check: () => Promise.resolve({ kind: 'satisfied', adds }) }],
    });
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('a pod runs', async () => (await runningPodCount(story)) > 0);
    const [{ metadata, spec }, [claim]] = [await onlyNode(story), await story.claims()];
    for (const { labels, annotations } of [metadata, claim?.metadata ?? {}])
      expect([labels?.['example.com/rack'], annotations?.['example.com/address']]).toEqual(['r7', '10.0.0.7']);
    expect(spec?.taints).toContainEqual(adds.taints[0]);
  });

  test('whose taints keep pods away gets no node after node for them, and the pods have the taint as their reason', async () => {
    await using story = await aStoryCluster();
    const reason = 'its taint example.com/slow:NoSchedule is not tolerated';
    const adds = { taints: [{ key: 'example.com/slow', effect: 'NoSchedule' }] } as const;
    let isTainted = true;
    const check = () => Promise.resolve({ kind: 'satisfied', ...(isTainted && { adds }) } as const);
    await restartWith(story, { registrationHooks: [{ name: 'RackAssigned', check }] });
    await story.create(aStoryPool(), aStoryDeployment(1));
    const launched = (): number => story.writes.filter((write) => write === 'launch machine').length;
    await story.until('the pod has its reason', async () => (await messagesOf(story)).some((text) => text.includes(reason)), 3 * MINUTE);
    await story.pass(3 * MINUTE);
    expect([launched(), await story.nodes()]).toEqual([1, []]);
    isTainted = false;
    await story.until('the pod runs', async () => (await runningPodCount(story)) === 1, 5 * MINUTE);
    expect(launched()).toBe(2);
  });

  test('ends a launch after its own time, and claims have its grace period', async () => {
    await using story = await aStoryCluster();
    const create: CloudProvider['create'] = () => new Promise(() => undefined);
    await restartWith(story, { create, launchTimeoutMs: MINUTE, defaultTerminationGracePeriod: '2h' });
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('a claim is there', async () => (await story.claims()).length > 0);
    expect((await story.claims()).map(({ spec }) => spec.terminationGracePeriod)).toEqual(['2h']);
    await story.until('the launch has timed out', () => reasonsOf(story).includes('launch_timeout'), 2 * MINUTE);
  });
});

describe('a node that expires', () => {
  test('is replaced, whatever the budgets say', async () => {
    const spec = { ...storyTemplate({ expireAfter: '20m' }), disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } };
    await using story = await aRunningCluster(aStoryPool(spec));
    const before = await providerIdsOf(story);
    await story.pass(10 * MINUTE);
    expect(await providerIdsOf(story)).toEqual(before);
    await fiveRunElsewhere(story, before);
    expect(reasonsOf(story)).toEqual(['expired']);
  });
});

describe('a node that is drained', () => {
  const nothingMayGo: KubeObject & { readonly spec: object } = {
    ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'all', namespace: 'default' } },
    ...{ spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'inflate' } } } },
  };

  test('under a budget that allows nothing stays, and says why', async () => {
    await using story = await aRunningCluster();
    await story.create(nothingMayGo);
    const { metadata } = await onlyNode(story);
    await story.kube.delete('Node', { name: metadata.name });
    await story.pass(10 * MINUTE);
    expect((await story.nodes()).map(({ metadata: { name } }) => name)).toContain(metadata.name);
    expect((await eventsOf(story)).has('FailedDraining')).toBe(true);
  });

  test('with a grace period is gone when that is over, whatever its pods and their budgets say', async () => {
    await using story = await aRunningCluster(aStoryPool(storyTemplate({ terminationGracePeriod: '5m' })));
    await story.create(nothingMayGo);
    const { metadata } = await onlyNode(story);
    await story.kube.delete('Node', { name: metadata.name });
    await story.pass(4 * MINUTE);
    expect((await story.nodes()).map(({ metadata: { name } }) => name)).toContain(metadata.name);
    await story.until(
      'the node is gone',
      async () => (await story.nodes()).every(({ metadata: { name } }) => name !== metadata.name),
      2 * MINUTE,
    );
    const events = await eventsOf(story);
    expect([events.has('TerminationGracePeriodExpiring'), events.has('Disrupted')]).toEqual([true, true]);
    await story.until('five pods run elsewhere', async () => (await runningPodCount(story)) === 5);
  });

  test('waits for its volumes to be detached before its machine goes', async () => {
    await using story = await aRunningCluster();
    const { metadata } = await onlyNode(story);
    const [machine] = await providerIdsOf(story);
    await story.create({
      ...{ apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name: 'att' } },
      ...{ spec: { attacher: 'disk.csi.azure.com', nodeName: metadata.name, source: { persistentVolumeName: 'pv-1' } } },
    });
    await story.kube.delete('Node', { name: metadata.name });
    await story.pass(5 * MINUTE);
    expect(await providerIdsOf(story)).toContain(machine);
    expect((await eventsOf(story)).has('AwaitingVolumeDetachment')).toBe(true);
    await story.kube.delete('VolumeAttachment', { name: 'att' });
    await story.until('the machine is gone', async () => !(await providerIdsOf(story)).includes(machine ?? ''), MINUTE);
  });
});

test('a machine whose end the cloud announces by a queue is deleted within the notice, and its pods run elsewhere before it goes', async () => {
  await using story = await aRunningCluster();
  const before = await providerIdsOf(story);
  const feed = interruptionFeed({
    ...{ name: 'simulated.interruption', everyMs: 1000, kube: story.kube, logger: silentLogger },
    receive: () => story.cloud.announcements.receive(),
  });
  const deadlineMs = story.clock.now() + 2 * MINUTE;
  for (const providerId of before) story.cloud.announcements.announce(providerId, { reason: 'Preempt', deadlineMs });
  await feed.reconcile({ signal });
  expect(await story.cloud.announcements.receive()).toEqual([]);
  await fiveRunElsewhere(story, before);
  expect(story.clock.now()).toBeLessThan(deadlineMs);
  expect(story.decisions).toContainEqual(expect.objectContaining({ kind: 'interrupted', reason: 'Preempt' }));
});
