import { describe, expect, jest, test } from '@jest/globals';
import type { Pod } from '@karpenter/core';
import { aStoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';
import { runningPodCount } from './running-pods.ts';

jest.setTimeout(300_000);
const signal = new AbortController().signal;
/** Within it disruption has evaluated the cluster once, and has not come back to what it found. */
const ONE_PASS_MS = 12_000;
const disrupted = { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' };

describe('consolidation', () => {
  test('moves few pods from a large node to a cheaper one: the new one stands before the old one goes', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), aStoryDeployment(12));
    await story.until('twelve pods run', async () => (await runningPodCount(story)) === 12);
    const before = await story.cloud.list({ signal });
    await story.scale('inflate', 2);
    await story.until('a command has come to its end', () => story.decisions.some(({ kind }) => kind === 'command-succeeded'), 1_800_000);
    await story.until(
      'two pods run on less',
      async () => {
        const now = await story.cloud.list({ signal });
        const cpus = now.reduce((sum, { capacity }) => sum + Number(capacity['cpu']), 0);
        return cpus < before.reduce((sum, { capacity }) => sum + Number(capacity['cpu']), 0) && (await runningPodCount(story)) === 2;
      },
      1_800_000,
    );
    const started = story.decisions.find((decision) => decision.kind === 'command-started');
    expect(started?.kind === 'command-started' && started.command.savingsPerHour).toBeGreaterThan(0);
  });

  test('an opportunity that passes within its fifteen seconds is let go: pods that come meanwhile run on the node', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5);
    const before = await story.cloud.list({ signal });
    await story.scale('inflate', 0);
    await story.until('no pod is left', async () => (await story.pods()).length === 0);
    await story.pass(ONE_PASS_MS);
    await story.scale('inflate', 5);
    await story.until('the command is let go', () => story.decisions.some(({ kind }) => kind === 'command-abandoned'), 60_000);
    expect(await runningPodCount(story)).toBe(5);
    expect(await story.cloud.list({ signal })).toHaveLength(before.length);
    expect((await story.nodes()).flatMap(({ spec }) => spec?.taints ?? [])).toEqual([]);
  });

  test('taints of commands that nobody runs any more are taken back at the next start', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5);
    await story.kill();
    const [node] = await story.nodes();
    await story.kube.patch('Node', { name: node?.metadata.name ?? '' }, { type: 'merge', body: { spec: { taints: [disrupted] } } });
    story.start();
    await story.until('the node is open', async () => (await story.nodes()).every(({ spec }) => (spec?.taints ?? []).length === 0), 60_000);
  });
});

describe('drift', () => {
  test('a changed template replaces the node, and the pods move', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), aStoryDeployment(5));
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5);
    const [old] = await story.claims();
    await story.kube.patch(
      'NodePool',
      { name: 'general' },
      { type: 'merge', body: { spec: { template: { metadata: { labels: { team: 'a' } } } } } },
    );
    await story.until(
      'the old claim is gone',
      async () => (await story.claims()).every(({ metadata }) => metadata.name !== old?.metadata.name),
      1_800_000,
    );
    await story.until('five pods run again', async () => (await runningPodCount(story)) === 5);
    expect((await story.nodes()).every(({ metadata }) => metadata.labels?.['team'] === 'a')).toBe(true);
  });
});

describe('many nodes that drift at once', () => {
  test('are replaced together, each by what its own pods need: no command is taken back because of the others', async () => {
    await using story = await aStoryCluster();
    const { template } = aStoryPool().spec;
    const onDemand = { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] } as const;
    const fourCores = { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['sim-c4'] } as const;
    await story.create(aStoryPool({ template: { ...template, spec: { ...template.spec, requirements: [onDemand, fourCores] } } }));
    await story.create(aStoryDeployment(12));
    await story.until('twelve pods run', async () => (await runningPodCount(story)) === 12);
    const old = new Set((await story.claims()).map(({ metadata }) => metadata.name));
    const labels = { metadata: { labels: { team: 'a' } }, spec: { requirements: [onDemand] } };
    await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body: { spec: { template: labels } } });
    await story.until(
      'no old claim is left and the pods run',
      async () => (await story.claims()).every(({ metadata }) => !old.has(metadata.name)) && (await runningPodCount(story)) === 12,
      1_800_000,
    );
    const started = story.decisions.flatMap((each) =>
      each.kind === 'command-started' && each.command.method === 'drift' ? [each.command] : [],
    );
    expect(old.size).toBeGreaterThan(1);
    expect(started).toHaveLength(old.size);
    for (const { candidates, replacements } of started) {
      const namesOf = (nodes: readonly { readonly pods: readonly Pod[] }[]) =>
        nodes.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name)).sort();
      expect(namesOf(replacements)).toEqual(namesOf(candidates));
    }
    expect(story.decisions.map(({ kind }) => kind)).not.toContain('command-abandoned');
  });
});

describe('a node that a person deletes', () => {
  test('is drained under its disruption budgets, and its pods run elsewhere', async () => {
    await using story = await aStoryCluster();
    await story.create(aStoryPool(), aStoryDeployment(5), {
      ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'inflate', namespace: 'default' } },
      ...{ spec: { minAvailable: 4, selector: { matchLabels: { app: 'inflate' } } } },
    });
    await story.until('five pods run', async () => (await runningPodCount(story)) === 5);
    const [node] = await story.nodes();
    await story.kube.delete('Node', { name: node?.metadata.name ?? '' });
    let fewest = 5;
    await story.until(
      'the node is gone and five pods run',
      async () => {
        fewest = Math.min(fewest, await runningPodCount(story));
        return (await story.nodes()).every(({ metadata }) => metadata.name !== node?.metadata.name) && (await runningPodCount(story)) === 5;
      },
      1_800_000,
    );
    expect(fewest).toBeGreaterThanOrEqual(4);
    expect(story.decisions.filter(({ kind }) => kind === 'node-claim-created')).toHaveLength(2);
  });
});
