import { describe, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '@karpenter/runtime';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryPool } from './story-objects.ts';
import { isInPhaseRunning } from './running-pods.ts';

jest.setTimeout(300_000);

const tenOf = (app: string, cpu: string): KubeObject & { readonly spec: object } => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: app, namespace: 'default' },
  spec: {
    replicas: 10,
    selector: { matchLabels: { app } },
    template: { metadata: { labels: { app } }, spec: { containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu } } }] } },
  },
});

/** Pods of two sizes, which only one arrangement fits on the nodes that are planned for them, until all of them run. */
const twoSizes = async (podNomination: boolean): Promise<StoryCluster> => {
  const story = await aStoryCluster({ podNomination });
  await story.create(aStoryPool(), tenOf('small', '900m'), tenOf('large', '3500m'));
  await story.until('all run', async () => (await story.pods()).filter(isInPhaseRunning).length === 20);
  return story;
};

/** The nodes of each plan, each as the number of its pods. */
const plansOf = ({ decisions }: StoryCluster): readonly (readonly number[])[] =>
  decisions.flatMap((decision) => (decision.kind === 'plan-computed' ? [decision.plan.plannedNodes.map(({ pods }) => pods.length)] : []));

/** How many pods each plan found a place for. */
const plannedBy = (story: StoryCluster): readonly number[] => plansOf(story).map((nodes) => nodes.reduce((total, pods) => total + pods, 0));

describe('nodes that are planned so full that kube-scheduler, left to itself, does not fit all pods on them', () => {
  test('take all pods once these are nominated for them: nothing is planned a second time', async () => {
    await using story = await twoSizes(true);
    expect(plannedBy(story)).toEqual([20]);
    expect(await story.claims()).toHaveLength(plansOf(story)[0]?.length ?? 0);
  });

  test('otherwise need one more, for which nobody waits: it is requested within seconds of the first node being full', async () => {
    await using story = await twoSizes(false);
    expect(plannedBy(story)).toEqual([20, 2]);
    expect(story.writes).not.toContain('patch Pod status');
    const created = (await story.claims()).map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? '')).sort((a, b) => a - b);
    const started = (await story.pods()).map(({ status }) => Date.parse(status?.startTime ?? '')).sort((a, b) => a - b);
    expect((created.at(-1) ?? Infinity) - (started.at(17) ?? 0)).toBeLessThanOrEqual(5000);
  });

  test('leave no nomination behind', async () => {
    await using story = await twoSizes(true);
    expect((await story.pods()).map(({ status }) => status?.nominatedNodeName)).toEqual(Array.from({ length: 20 }, () => undefined));
  });
});

test('a pod whose room somebody else took is planned again before its promise would end', async () => {
  await using story = await aStoryCluster({ podNomination: true });
  await story.create(aStoryPool(), tenOf('large', '3500m'));
  await story.until('the pods are nominated', () => story.decisions.some(({ kind }) => kind === 'pods-nominated'));
  const [node] = await story.nodes();
  const squatter = { name: 'main', image: 'pause', resources: { requests: { cpu: '3' } } };
  await story.create({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'squatter', namespace: 'default' } },
    spec: { nodeName: node?.metadata.name, containers: [squatter], tolerations: [{ operator: 'Exists' }] },
  } as KubeObject);
  await story.until('the first node is up', () => story.decisions.some(({ kind }) => kind === 'initialized'));
  const upMs = story.clock.now();
  await story.until('the pod left over has been planned again', () => plannedBy(story).length === 2);
  expect(story.clock.now() - upMs).toBeLessThan(15_000);
  await story.until('all run', async () => (await story.pods()).filter(isInPhaseRunning).length === 11);
});
