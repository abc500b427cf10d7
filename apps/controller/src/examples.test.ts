import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import type { Node, NodeClaim, Pod } from '@karpenter/core';
import type { CapacityBuffer } from '@karpenter/core/internal';
import type { ApiObject, KindRef } from '@karpenter/api-server';
import { knownRefusals } from '@karpenter/azure-emulator';
import { parseAllDocuments } from 'yaml';
import { claimsOf, isRunning, nodesOf, podsOf } from './testing/clusters/cluster-census.ts';
import { aDeployment, nvidiaDevicePlugin } from './testing/clusters/objects.ts';
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

const bufferKind: KindRef<CapacityBuffer & ApiObject> = { kind: 'CapacityBuffer' };

/** `Ubuntu 22.04`, from the id of the image that a claim was launched with. */
const ubuntuOf = ({ status }: NodeClaim): string => {
  const [, year = '?', month = '?'] = /(?:\/images\/|^AKSUbuntu-)(\d\d)(\d\d)/.exec(status?.imageID ?? '') ?? [];
  return `Ubuntu ${year}.${month}`;
};

const osImageOf = ({ status }: Node): string | undefined => (status?.nodeInfo as { readonly osImage?: string } | undefined)?.osImage;

const HOUR_MS = 3_600_000;

/** The next Wednesday at 06:25 in Berlin, in epoch ms: five minutes before the schedule begins. */
const beforeWarmMorning = (): number => {
  const date = new Date();
  date.setUTCDate(date.getUTCDate() + ((10 - date.getUTCDay()) % 7 || 7));
  const inSummerMs = date.setUTCHours(4, 25, 0, 0);
  const hour = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit' }).format(inSummerMs);
  return hour === '06' ? inSummerMs : inSummerMs + HOUR_MS;
};

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
    const images = new Set(claimsOf(story.cluster).map(ubuntuOf));
    expect([...images]).toEqual(['Ubuntu 22.04']);
    for (const node of nodesOf(story.cluster)) expect(osImageOf(node)).toContain([...images][0]);
    story.scale('inflate', 0);
    await story.until('nothing is left', () => story.cluster.arm.vms().length === 0 && story.cluster.arm.nics().length === 0);
  });

  test('for warm mornings keeps no room at night, and room for five pods once the schedule begins', async () => {
    const objects = ['general-purpose.yaml', 'warm-mornings.yaml'].flatMap(objectsOf);
    await using story = await startStoryIn({ startMs: beforeWarmMorning() }, aDeployment({ name: 'web', replicas: 0 }), ...objects);
    const buffer = (): CapacityBuffer | undefined => story.cluster.local.list(bufferKind)[0];
    const says = (condition: string): boolean =>
      buffer()?.status?.conditions?.some(({ type, reason }) => `${type}: ${reason}` === condition) === true;
    await story.until('the schedule is known', () => says('Provisioning: OutsideSchedule') && says('ReadyForProvisioning: Resolved'));
    expect(story.cluster.arm.vms()).toEqual([]);
    await story.until('there is room', () => says('Provisioning: FitsExistingCapacity'), { within: 15 });
    expect(buffer()?.status?.replicas).toBe(5);
    expect(nodesOf(story.cluster)).not.toEqual([]);
  });

  test('for spot, where Azure has no spot machine left › its pods run on demand', async () => {
    await using story = await startStoryIn({});
    const refusal = knownRefusals.skuNotAvailable('Standard_D4as_v5', 'eastus');
    const { create: operation } = storyMode;
    story.cluster.arm.faults.add({ operation, capacityType: 'spot', effect: { kind: 'refuse', refusal } });
    story.create(...objectsOf('spot.yaml'));
    await story.until('both run', () => podsOf(story.cluster, 'batch').filter(isRunning).length === 2, { within: 30 });
    const [tried] = story.cluster.arm.requests.of(operation);
    expect(JSON.stringify(tried?.body)).toContain('"Spot"');
    for (const { metadata } of nodesOf(story.cluster))
      expect(metadata.labels).toMatchObject({ 'karpenter.sh/nodepool': 'spot', 'karpenter.sh/capacity-type': 'on-demand' });
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
