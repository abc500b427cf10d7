import { describe, expect, jest, test } from '@jest/globals';
import type { NodePool } from '@karpenter/core';
import { isRunning } from './cluster-picture.ts';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aLargePod, aStoryDeployment, aStoryPool } from './story-objects.ts';

jest.setTimeout(300_000);

const settledPodCount = async (story: StoryCluster): Promise<number> => (await story.pods()).filter(isRunning).length;

const sizesOf = async (story: StoryCluster): Promise<readonly string[]> =>
  (await story.nodes()).map(({ metadata }) => metadata.labels?.['node.kubernetes.io/instance-type'] ?? '').sort();

/** A pool that buys these sizes only. */
const buying = (values: readonly string[], disruption: Partial<NodePool['spec']['disruption']> = {}): NodePool => {
  const pool = aStoryPool();
  const { template } = pool.spec;
  const requirements = [...template.spec.requirements, { key: 'node.kubernetes.io/instance-type', operator: 'In' as const, values }];
  return aStoryPool({
    template: { ...template, spec: { ...template.spec, requirements } },
    disruption: { ...pool.spec.disruption, ...disruption },
  });
};

/** What the pool of a policy made of moves, worth it or not. */
const weighed = ({ decisions }: StoryCluster, isWorthIt: boolean): readonly number[] =>
  decisions.flatMap((each) =>
    each.kind === 'moves-weighed' ? each.moves.filter((move) => move.isWorthIt === isWorthIt).flatMap(({ score }) => score ?? []) : [],
  );

const keptBecause = ({ decisions }: StoryCluster): ReadonlySet<string> =>
  new Set(decisions.flatMap((each) => (each.kind === 'nodes-kept' ? each.kept.map(({ blocker }) => blocker.kind) : [])));

describe('under the policy Balanced', () => {
  test('a node stays whose pods would all move for two fifths of its price, and goes when they would for three quarters', async () => {
    await using story = await aStoryCluster();
    await story.create(buying(['sim-c16', 'sim-g8', 'sim-c4'], { consolidationPolicy: 'Balanced' }), aStoryDeployment(15));
    await story.until('fifteen pods run', async () => (await settledPodCount(story)) === 15);
    expect(await sizesOf(story)).toEqual(['sim-c16']);

    await story.scale('inflate', 7);
    await story.until('seven are left', async () => (await story.pods()).length === 7);
    await story.pass(180_000);
    expect(await sizesOf(story)).toEqual(['sim-c16']);
    expect(keptBecause(story)).toContain('not-worth-it');
    expect(weighed(story, false).at(-1)).toBeCloseTo(0.24 / 0.608, 2);

    await story.scale('inflate', 3);
    await story.until('three pods run on a smaller node', async () => (await sizesOf(story)).join() === 'sim-c4', 900_000);
    expect(weighed(story, true).at(-1)).toBeCloseTo(0.456 / 0.608, 2);
    expect(await settledPodCount(story)).toBe(3);
  });

  test('what stays there would go under the policy that checks prices alone', async () => {
    await using story = await aStoryCluster();
    await story.create(buying(['sim-c16', 'sim-g8', 'sim-c4']), aStoryDeployment(15));
    await story.until('fifteen pods run', async () => (await settledPodCount(story)) === 15);
    await story.scale('inflate', 7);
    await story.until('seven pods run on a smaller node', async () => (await sizesOf(story)).join() === 'sim-g8', 900_000);
  });
});

describe('one node that is too large, where nothing between it and small ones is on sale', () => {
  test('gives way to two: both run before it goes, and no pod is without a place', async () => {
    await using story = await aStoryCluster();
    await story.create(buying(['sim-m16', 'sim-c4', 'sim-c2']), aLargePod(), aStoryDeployment(5));
    await story.until('six pods run', async () => (await settledPodCount(story)) === 6);
    expect(await sizesOf(story)).toEqual(['sim-m16']);

    await story.scale('large', 0);
    let mostNodes = 1;
    await story.until(
      'the large node is gone',
      async () => {
        mostNodes = Math.max(mostNodes, (await story.nodes()).length);
        return !(await sizesOf(story)).includes('sim-m16') && (await settledPodCount(story)) === 5;
      },
      900_000,
    );
    const move = story.decisions.find((each) => each.kind === 'command-succeeded');
    expect(move?.command).toMatchObject({ method: 'single-node', decision: 'replace', candidates: [{}] });
    expect(move?.command.replacements.length).toBeGreaterThan(1);
    expect(mostNodes).toBe(1 + (move?.command.replacements.length ?? 0));
    expect((await sizesOf(story)).every((size) => size === 'sim-c4' || size === 'sim-c2')).toBe(true);
  });
});
