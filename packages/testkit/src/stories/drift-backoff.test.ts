import { expect, jest, test } from '@jest/globals';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryDeployment, aStoryPool } from './story-objects.ts';

jest.setTimeout(300_000);

const TEN_MINUTES_MS = 600_000;

/** A deployment of one pod that runs in one zone only. */
const pinnedTo = (zone: string) => {
  const { spec, ...rest } = aStoryDeployment(1);
  const [app, pod] = [`in-${zone}`, { terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'pause' }] }];
  const template = { metadata: { labels: { app } }, spec: { ...pod, nodeSelector: { 'topology.kubernetes.io/zone': zone } } };
  return { ...rest, metadata: { name: app, namespace: 'default' }, spec: { ...spec, selector: { matchLabels: { app } }, template } };
};

/** The pool, changed so that all its nodes drift. It replaces them one at a time. */
const aPoolThatDrifts = (version: string) => {
  const { template } = aStoryPool().spec;
  const disruption = { consolidateAfter: 'Never', budgets: [{ nodes: '1' }] };
  return aStoryPool({ disruption, template: { ...template, metadata: { labels: { version } } } });
};

const zoneOf = (labels: Readonly<Record<string, string>> = {}): string | undefined => labels['topology.kubernetes.io/zone'];

/** The zones of the nodes of commands that were started, in order. */
const startedIn = ({ decisions }: StoryCluster): readonly (string | undefined)[] =>
  decisions.flatMap((each) => (each.kind === 'command-started' ? each.command.candidates.map(({ labels }) => zoneOf(labels)) : []));

test('when a zone is out of stock › its drifted node is retried with backoff and says so, and the node of another zone is replaced', async () => {
  await using story = await aStoryCluster();
  await story.create(aPoolThatDrifts('1'), pinnedTo('sim-1'));
  await story.until('the first zone has a node', async () => (await story.nodes()).length === 1);
  await story.create(pinnedTo('sim-2'));
  await story.until('so has the second', async () => (await story.pods()).filter(({ status }) => status?.phase === 'Running').length === 2);
  story.cloud.faults.add({ fault: { kind: 'insufficient-capacity' }, zone: 'sim-1' });
  await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body: { spec: aPoolThatDrifts('2').spec } });
  await story.pass(TEN_MINUTES_MS);
  const drifted = (await story.claims()).filter(({ metadata }) => metadata.labels?.['version'] === '1');
  expect(drifted.map(({ metadata }) => zoneOf(metadata.labels))).toEqual(['sim-1']);
  const [claim] = drifted;
  const message = claim?.status?.conditions?.find(({ type }) => type === 'Drifted')?.message ?? '';
  expect(message).toMatch(/The replacement of the node failed \d times: it was not launched, or was deleted. It is tried again after /);
  const tries = startedIn(story).filter((zone) => zone === 'sim-1').length;
  expect(tries).toBeGreaterThanOrEqual(2);
  expect(tries).toBeLessThanOrEqual(4);
});
