import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import type { Node, Pod } from '@karpenter/core';
import type { ApiObject } from '@karpenter/api-server';
import { parseAllDocuments } from 'yaml';
import { isRunning, nodesOf, podsOf } from './testing/clusters/cluster-census.ts';
import { nvidiaDevicePlugin } from './testing/clusters/objects.ts';
import { making, storyMode } from './testing/stories/provision-mode.ts';
import { startStoryIn } from './testing/stories/story.ts';
import type { TestCluster } from './testing/clusters/test-cluster.ts';

jest.setTimeout(300_000);

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'examples');
const files = readdirSync(folder).sort();

const objectsOf = (file: string): readonly ApiObject[] =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => {
    const object = document.toJS() as ApiObject;
    return object.kind === 'Deployment' ? { ...object, metadata: { namespace: 'default', ...object.metadata } } : object;
  });

/** The environment of a controller that may take images from shared galleries. */
const withGalleries = (cluster: TestCluster) => ({
  ...making(storyMode.name)(cluster),
  USE_SIG: 'true',
  SIG_SUBSCRIPTION_ID: cluster.arm.account.imageSubscriptionId,
  SIG_ACCESS_TOKEN_SERVER_URL: cluster.arm.auxiliaryTokensUrl,
});

/** Application, how many pods, and what the labels of each of their nodes are. */
const expected: readonly (readonly [string, number, Readonly<Record<string, unknown>>])[] = [
  ['report', 3, { 'karpenter.sh/nodepool': 'batch' }],
  ['batch', 2, { 'karpenter.sh/nodepool': 'spot', 'karpenter.sh/capacity-type': 'spot' }],
  ['arm', 1, { 'karpenter.sh/nodepool': 'arm64', 'kubernetes.io/arch': 'arm64' }],
  ['training', 1, { 'karpenter.sh/nodepool': 'gpu', 'karpenter.azure.com/sku-gpu-manufacturer': 'nvidia' }],
  ['scratch', 1, { 'karpenter.sh/nodepool': 'ephemeral-disk' }],
  ['frontend', 3, { 'karpenter.sh/nodepool': 'zone-spread' }],
  ['db', 3, { 'karpenter.sh/nodepool': 'stateful', 'karpenter.sh/capacity-type': 'on-demand' }],
  ['addon', 2, { 'karpenter.sh/nodepool': 'system', 'kubernetes.azure.com/mode': 'system' }],
  ['ledger', 1, { 'karpenter.sh/nodepool': 'fips', 'kubernetes.azure.com/fips_enabled': 'true' }],
];

/** A pod of a Job succeeds while the test still waits for other pods. */
const hasRun = (pod: Pod): boolean => isRunning(pod) || pod.status?.phase === 'Succeeded';

describe('the examples', () => {
  test('for general purpose makes room for the placeholder pods, and takes it away', async () => {
    await using story = await startStoryIn({}, ...['general-purpose.yaml', 'inflate.yaml'].flatMap(objectsOf));
    const running = (): number => podsOf(story.cluster).filter(isRunning).length;
    story.scale('inflate', 5);
    await story.until('all five run', () => running() === 5);
    for (const { metadata } of nodesOf(story.cluster)) {
      expect(metadata.labels).toMatchObject({
        'karpenter.sh/nodepool': 'general-purpose',
        'karpenter.sh/capacity-type': 'on-demand',
        'karpenter.azure.com/sku-family': 'D',
        'kubernetes.io/arch': 'amd64',
      });
    }
    story.scale('inflate', 0);
    await story.until('nothing is left', () => story.cluster.arm.vms().length === 0 && story.cluster.arm.nics().length === 0);
  });

  test('are applied as they are, and all of their pods run where they ask to', async () => {
    await using story = await startStoryIn({ variables: withGalleries }, nvidiaDevicePlugin, ...files.flatMap(objectsOf));
    const runningOf = (app: string): number => podsOf(story.cluster, app).filter(hasRun).length;
    const nodesUnder = (app: string): readonly Node[] => {
      const names = new Set(podsOf(story.cluster, app).map(({ spec }) => spec.nodeName));
      return nodesOf(story.cluster).filter(({ metadata }) => names.has(metadata.name));
    };
    for (const [app, count, labels] of expected) {
      await story.until(`${count} of ${app} run`, () => runningOf(app) === count);
      for (const { metadata } of nodesUnder(app)) expect(metadata.labels).toMatchObject(labels);
    }
    for (const app of ['frontend', 'db']) {
      const zones = nodesUnder(app).map(({ metadata }) => metadata.labels?.['topology.kubernetes.io/zone']);
      expect(zones.toSorted()).toEqual(['eastus-1', 'eastus-2', 'eastus-3']);
    }
    expect(nodesUnder('addon')).toHaveLength(2);
    await story.until('eight pods run within the caps', () => runningOf('preview') >= 8);
    const capped = nodesOf(story.cluster).filter(({ metadata }) => metadata.labels?.['example.com/capped'] === 'true');
    expect(capped.reduce((cpus, { status }) => cpus + Number(status?.capacity?.['cpu']), 0)).toBeLessThanOrEqual(20);
    expect(podsOf(story.cluster, 'preview').every(isRunning)).toBe(false);
    const [scratch] = nodesUnder('scratch');
    const onDisks = story.cluster.arm.disks().map(({ managedBy }) => managedBy?.toLowerCase());
    const onItself = story.cluster.arm.vms().filter(({ id }) => !onDisks.includes(id.toLowerCase()));
    expect(onItself.map(({ name }) => name)).toContain(scratch?.metadata.name);
  });
});
