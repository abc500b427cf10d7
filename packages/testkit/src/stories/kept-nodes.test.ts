import { describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '@karpenter/runtime';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryBudget, aStoryDeployment, aStoryPool } from './story-objects.ts';
import { runningPodCount } from './running-pods.ts';

jest.setTimeout(300_000);

/** Why nodes were kept so far, by kind. */
const reasonsOf = ({ decisions }: StoryCluster): ReadonlySet<string> =>
  new Set(decisions.flatMap((each) => (each.kind === 'nodes-kept' ? each.kept.map(({ blocker }) => blocker.kind) : [])));

const hasStarted = ({ decisions }: StoryCluster): boolean => decisions.some(({ kind }) => kind === 'command-started');
const hasSucceeded = ({ decisions }: StoryCluster): boolean => decisions.some(({ kind }) => kind === 'command-succeeded');

/** Two minutes: several looks, and more than the fifteen seconds that an opportunity must last. */
const A_WHILE_MS = 120_000;

/** Twelve pods run, and then two of them: their machine is far too large. */
const tooLarge = async (story: StoryCluster, pods: KubeObject & { readonly spec: object } = aStoryDeployment(12)): Promise<void> => {
  await story.create(pods);
  await story.until('twelve pods run', async () => (await runningPodCount(story)) === 12);
  await story.scale('inflate', 2);
  await story.until('two are left', async () => (await story.pods()).length === 2);
};

const aDiskClass: KubeObject & { readonly provisioner: string } & Record<string, unknown> = {
  ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'disk' } },
  ...{ provisioner: 'disk.csi.test', volumeBindingMode: 'WaitForFirstConsumer' },
};

/** One pod with a disk of its own. */
const aDatabase: KubeObject & { readonly spec: object } = {
  ...{ apiVersion: 'apps/v1', kind: 'StatefulSet', metadata: { name: 'db', namespace: 'default' } },
  spec: {
    ...{ replicas: 1, serviceName: 'db', selector: { matchLabels: { app: 'db' } } },
    template: {
      metadata: { labels: { app: 'db' } },
      spec: { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'db', resources: { requests: { cpu: '1' } } }] },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { storageClassName: 'disk', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  },
};

describe('a node that is not needed stays', () => {
  test('while a disruption budget of its pods allows no eviction, and goes when that is gone', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), aStoryBudget({ minAvailable: 2 }));
    await tooLarge(story);
    await story.pass(A_WHILE_MS);
    expect(hasStarted(story)).toBe(false);
    expect(reasonsOf(story)).toContain('pdb');
    await story.kube.delete('PodDisruptionBudget', { namespace: 'default', name: 'inflate' });
    await story.until('it goes', () => hasSucceeded(story), 900_000);
    await story.until('two pods run', async () => (await runningPodCount(story)) === 2, 900_000);
  });

  test('while its pods want to be left alone, and goes when their time is over', async () => {
    await using story = await aStoryCluster();
    const pods = aStoryDeployment(12);
    const options = { annotations: { 'karpenter.sh/do-not-disrupt': '10m' } };
    const { template, ...spec } = pods.spec as { template: { metadata: object; spec: object } };
    await story.create(aStoryPool());
    await tooLarge(story, { ...pods, spec: { ...spec, template: { ...template, metadata: { ...template.metadata, ...options } } } });
    await story.pass(A_WHILE_MS);
    expect(hasStarted(story)).toBe(false);
    expect(reasonsOf(story)).toContain('do-not-disrupt-pod');
    await story.until('it goes', () => hasSucceeded(story), 1_800_000);
  });

  test('while its owner wants it left alone, and goes when the annotation is taken off', async () => {
    await using story = await aStoryCluster();
    const setting = async (value: string | null): Promise<void> => {
      const body = { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': value } } };
      for (const { metadata } of await story.nodes()) await story.kube.patch('Node', { name: metadata.name }, { type: 'merge', body });
    };
    await story.create(aStoryPool(), aStoryDeployment(12));
    await story.until('twelve pods run', async () => (await runningPodCount(story)) === 12);
    await setting('true');
    await story.scale('inflate', 2);
    await story.pass(A_WHILE_MS);
    expect(hasStarted(story)).toBe(false);
    expect(reasonsOf(story)).toContain('do-not-disrupt-node');
    await setting(null);
    await story.until('it goes', () => hasSucceeded(story), 900_000);
  });

  test('while the budget of its pool is nothing, and goes when that allows one', async () => {
    await using story = await aStoryCluster();
    const allowing = (nodes: string) => ({ disruption: { consolidateAfter: '0s', budgets: [{ nodes }] } });
    await story.create(aStoryPool(allowing('0')));
    await tooLarge(story);
    await story.pass(A_WHILE_MS);
    expect(hasStarted(story)).toBe(false);
    expect(reasonsOf(story)).toContain('budget');
    await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body: { spec: allowing('1') } });
    await story.until('it goes', () => hasSucceeded(story), 900_000);
  });

  test('while it is promised to a pod that has not come yet, and goes when that pod is gone', async () => {
    await using story = await aStoryCluster();
    const spec = { schedulerName: 'elsewhere', containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu: '1' } } }] };
    const late = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'late', namespace: 'default' }, spec };
    const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }];
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5);
    await story.create(late);
    await story.kube.patchStatus('Pod', { namespace: 'default', name: 'late' }, { type: 'merge', body: { status: { conditions } } });
    await story.until('a place is planned for it', () => story.decisions.filter(({ kind }) => kind === 'plan-computed').length > 1);
    await story.scale('inflate', 0);
    await story.pass(A_WHILE_MS);
    expect(reasonsOf(story)).toContain('nominated');
    expect(hasSucceeded(story)).toBe(false);
    await story.kube.delete('Pod', { namespace: 'default', name: 'late' });
    await story.until('it goes', () => hasSucceeded(story), 900_000);
  });

  test('although it has drifted, while the disk of its pod is in a zone that its pool does not go to any more', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), aDiskClass, aDatabase);
    await story.until('the database runs', async () => (await runningPodCount(story)) === 1);
    const [node] = await story.nodes();
    const zone = node?.metadata.labels?.['topology.kubernetes.io/zone'];
    const goingTo = (requirement: object) => {
      const { template } = aStoryPool().spec;
      const requirements = [...template.spec.requirements, requirement];
      return { spec: { template: { spec: { ...template.spec, requirements } } } };
    };
    const elsewhere = goingTo({ key: 'topology.kubernetes.io/zone', operator: 'NotIn', values: [zone] });
    await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body: elsewhere });
    await story.pass(10 * 60_000);
    expect(hasStarted(story)).toBe(false);
    expect(reasonsOf(story)).toContain('unschedulable-pods');
    const there = goingTo({ key: 'team', operator: 'In', values: ['a'] });
    await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body: there });
    await story.until('it is replaced', () => hasSucceeded(story), 900_000);
    await story.until('the database runs again, on one node in the zone of its disk', async () => {
      const zones = (await story.nodes()).map(({ metadata }) => metadata.labels?.['topology.kubernetes.io/zone']);
      return zones.join() === zone && (await runningPodCount(story)) === 1;
    });
  });
});

describe('nothing of that holds up', () => {
  test('a pod that fits nowhere: it stays pending, and the node goes', async () => {
    await using story = await aStoryCluster();
    const container = { name: 'main', image: 'pause', resources: { requests: { cpu: '100000' } } };
    const huge = {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'huge', namespace: 'default' } },
      spec: { containers: [container] },
    };
    await story.create(aStoryPool(), huge, aStoryDeployment(12));
    await story.until('twelve pods run', async () => (await runningPodCount(story)) === 12);
    await story.scale('inflate', 2);
    await story.until('it goes', () => hasSucceeded(story), 900_000);
    expect((await story.pods()).find(({ metadata }) => metadata.name === 'huge')?.status?.phase).toBe('Pending');
  });

  test('a replacement that never comes: empty nodes go meanwhile; then the node is open again, and is replaced by another', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool());
    await tooLarge(story);
    story.cloud.faults.add({ fault: { kind: 'lost' }, times: 1 });
    await story.until('a replacement is awaited', () => hasStarted(story), 300_000);
    await story.create({ ...aStoryDeployment(5), metadata: { name: 'other', namespace: 'default' } });
    await story.until('the others run', async () => (await runningPodCount(story)) === 7, 300_000);
    await story.scale('other', 0);
    const emptied = (): boolean => story.decisions.some((each) => each.kind === 'command-succeeded' && each.command.method === 'emptiness');
    await story.until('their node went, being empty', emptied, 300_000);
    expect(story.decisions.some(({ kind }) => kind === 'command-abandoned')).toBe(false);
    const abandoned = (): boolean => story.decisions.some(({ kind }) => kind === 'command-abandoned');
    await story.until('the replacement is deleted', abandoned, 1_800_000);
    expect(await runningPodCount(story)).toBe(2);
    const replaced = (): boolean =>
      story.decisions.some((each) => each.kind === 'command-succeeded' && each.command.decision === 'replace');
    await story.until('another one came', replaced, 1_800_000);
    await story.until(
      'two pods run on one open node',
      async () => {
        const nodes = await story.nodes();
        return nodes.length === 1 && (nodes[0]?.spec?.taints ?? []).length === 0 && (await runningPodCount(story)) === 2;
      },
      900_000,
    );
  });
});

describe('a static pool', () => {
  test('replaces its nodes one by one when they drift, and never has fewer than it wants', async () => {
    await using story = await aStoryCluster({ staticCapacity: true });
    await story.create(aStoryPool({ replicas: 2, disruption: { budgets: [{ nodes: '1' }] } }));
    const ready = async (): Promise<readonly string[]> =>
      (await story.nodes())
        .filter(({ status }) => status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'))
        .map(({ metadata }) => metadata.name);
    await story.until('two nodes are ready', async () => (await ready()).length === 2);
    const before = await ready();
    const body = { spec: { template: { metadata: { labels: { team: 'a' } } } } };
    await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body });
    let fewest = 2;
    await story.until(
      'both are new',
      async () => {
        const now = await ready();
        fewest = Math.min(fewest, now.length);
        return now.length === 2 && now.every((name) => !before.includes(name));
      },
      1_800_000,
    );
    expect(fewest).toBe(2);
    await story.pass(A_WHILE_MS);
    expect(await ready()).toHaveLength(2);
  });
});
