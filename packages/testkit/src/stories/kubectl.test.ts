import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '@karpenter/runtime';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';
import { runningPodCount } from './running-pods.ts';

jest.setTimeout(300_000);

const isThere = spawnSync('kubectl', ['version', '--client']).status === 0;
if (!isThere) process.stderr.write('kubectl is not installed: its story cannot run here; it fails under CI\n');
const describeWithKubectl = isThere || process.env['CI'] !== undefined ? describe : describe.skip;

const run = promisify(execFile);
/** What kubectl prints of the cluster, blanks made one. */
const kubectl = async ({ url }: StoryCluster, ...args: readonly string[]): Promise<string> => {
  const { stdout } = await run('kubectl', ['--server', url, '--kubeconfig', '/dev/null', ...args]);
  return stdout.replaceAll(/[ \t]+/g, ' ');
};

/** A pool of types that nobody sells. */
const nothingOnSale = (): KubeObject => {
  const { spec, ...pool } = aStoryPool();
  const requirements = [{ key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values: ['no-such'] }];
  const template = { ...spec.template, spec: { ...spec.template.spec, requirements } };
  return { ...pool, metadata: { name: 'unsold' }, ...{ spec: { ...spec, template } } };
};
const pinnedPod: KubeObject = {
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'pinned', namespace: 'default' } },
  ...{ spec: { nodeSelector: { 'karpenter.sh/nodepool': 'unsold' }, containers: [{ name: 'main', image: 'pause' }] } },
};
const budget: KubeObject = {
  ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'all', namespace: 'default' } },
  ...{ spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'inflate' } } } },
};

describeWithKubectl('an operator with kubectl', () => {
  test('sees of a drain that waits for whom, on node, claim, condition and in the events', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), aStoryDeployment(2));
    await story.until('both pods run', async () => (await runningPodCount(story)) === 2);
    const [kept, guarded] = (await story.pods()).map(({ metadata }) => metadata.name);
    const name = (await story.nodes())[0]?.metadata.name ?? '';
    expect(await kubectl(story, 'get', 'nodeclaims')).toMatch(new RegExp(`^${name} sim-\\S+ on-demand sim-1 ${name} True`, 'm'));

    await kubectl(story, 'annotate', 'pod', kept ?? '', 'karpenter.sh/do-not-disrupt=true');
    await story.create(budget);
    await kubectl(story, 'delete', 'node', name, '--wait=false');
    await story.pass(20_000);
    const reasons = [`default/${kept} (annotation karpenter.sh/do-not-disrupt)`, `default/${guarded} (`, 'disruption budget'];
    for (const said of [
      await kubectl(story, 'describe', 'node', name),
      await kubectl(story, 'describe', 'nodeclaim', name),
      await kubectl(story, 'get', 'events', '--field-selector', 'reason=FailedDraining,involvedObject.kind=NodeClaim'),
      await kubectl(story, 'get', 'nodeclaim', name, '-o', 'jsonpath={.status.conditions[?(@.type=="Drained")].message}'),
    ]) {
      for (const reason of reasons) expect(said).toContain(reason);
    }
  });

  test('sees why a pool launches nothing, and a pod that is pinned to it waits', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), nothingOnSale(), pinnedPod);
    await story.pass(5000);
    expect(await kubectl(story, 'get', 'nodepools', '-o', 'wide')).toMatch(/^unsold default 0 True \d+s 0 /m);
    const why = 'None of 28 instance types meets the requirements; removed: 28 by node.kubernetes.io/instance-type In [no-such]';
    const described = await kubectl(story, 'describe', 'nodepool', 'unsold');
    expect(described).toContain(`Message: ${why}`);
    expect(described).toContain(`Warning NoCompatibleInstanceTypes`);
    const pod = await kubectl(story, 'describe', 'pod', 'pinned');
    expect(pod).toContain('NodePool unsold: none of 28 instance types meet node.kubernetes.io/instance-type In [no-such]');
    expect(pod).not.toContain('did you mean');

    await kubectl(story, 'wait', 'nodepool/general', '--for=condition=Ready', '--timeout=5s');
    await kubectl(story, 'delete', 'simulatednodeclass', 'default');
    await story.pass(2000);
    expect(await kubectl(story, 'get', 'nodepools')).toMatch(/^general default 0 False /m);
    await kubectl(story, 'wait', 'nodepool/general', '--for=condition=Ready=False', '--timeout=5s');
    await story.pass(10_000);
    expect(await kubectl(story, 'describe', 'pod', 'pinned')).toMatch(/NodePool unsold[^\n]*not [Rr]eady/);
  });

  test('changes a NodeClass, and its nodes show as drifted at once', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool({ disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } }), aStoryDeployment(1));
    await story.until('the pod runs', async () => (await runningPodCount(story)) === 1);
    await kubectl(story, 'patch', 'simulatednodeclass', 'default', '--type=merge', '-p', '{"spec":{"image":"v2"}}');
    await story.pass(3000);
    expect(await kubectl(story, 'get', 'nodeclaims', '-o', 'wide')).toMatch(/ general default True\s*$/m);
  });
});
