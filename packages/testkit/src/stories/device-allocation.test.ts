import { describe, expect, jest, test } from '@jest/globals';
import type { NodeClaim, Pod } from '@karpenter/core';
import type { DynamicResources, ResourceClaim } from '@karpenter/core/internal';
import type { KubeObject } from '@karpenter/runtime';
import { defaultInstanceTypes } from '@karpenter/simulator';
import type { SimulatedInstanceType } from '@karpenter/simulator';
import { aStoryCluster } from './story-cluster.ts';
import type { StoryCluster } from './story-cluster.ts';
import { aStoryPool } from './story-objects.ts';
import { isInPhaseRunning } from './running-pods.ts';

jest.setTimeout(300_000);

const DRIVER = 'gpu.example.com';
const apiVersion = 'resource.k8s.io/v1';

/** So many GPUs, each pair of them joined by NVLink. */
const gpus = (count: number): DynamicResources => {
  const devices = Array.from({ length: count }, (_, index) => ({
    name: `gpu-${index}`,
    attributes: { model: { string: 'a100' }, pair: { int: Math.floor(index / 2) } },
    capacity: { memory: { value: '40Gi' } },
  }));
  return { resourceSliceTemplates: [{ driver: DRIVER, pool: 'gpus', devices }] };
};

const gpuType = (count: number, more: Partial<SimulatedInstanceType> = {}): SimulatedInstanceType => ({
  ...{ name: `sim-gpu${count}`, cpu: 16, memoryGiB: 64, arch: 'amd64', zones: ['sim-1', 'sim-2'], pricePerHour: 2 + 3 * count },
  ...{ dynamicResources: gpus(count), ...more },
});

const deviceClass = {
  ...{ apiVersion, kind: 'DeviceClass', metadata: { name: 'gpu' } },
  ...{ spec: { selectors: [{ cel: { expression: `device.driver == "${DRIVER}"` } }] } },
};

const specFor = (count: number) => ({
  devices: {
    requests: [{ name: 'gpus', exactly: { deviceClassName: 'gpu', count } }],
    constraints: count === 2 ? [{ matchAttribute: `${DRIVER}/pair` }] : [],
  },
});

const aTemplateFor = (count: number): KubeObject => ({
  ...{ apiVersion, kind: 'ResourceClaimTemplate', metadata: { name: `gpus-${count}`, namespace: 'default' } },
  ...{ spec: { spec: specFor(count) } },
});

/** Pods with a claim for this many GPUs each. */
const aGpuApp = (name: string, { replicas, count }: { readonly replicas: number; readonly count: number }) => ({
  ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'default' } },
  ...{
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name } },
        spec: {
          terminationGracePeriodSeconds: 0,
          containers: [{ name: 'main', image: 'cuda', resources: { requests: { cpu: '1' }, claims: [{ name: 'gpus' }] } }],
          resourceClaims: [{ name: 'gpus', resourceClaimTemplateName: `gpus-${count}` }],
        },
      },
    },
  },
});
const untilRunning = (story: StoryCluster, count: number): Promise<void> =>
  story.until(`${count} pods run`, async () => {
    const pods = await story.pods();
    return pods.length === count && pods.every(isInPhaseRunning);
  });

const claimsFor = async (story: StoryCluster): Promise<readonly ResourceClaim[]> =>
  (await story.kube.list<ResourceClaim & KubeObject>('ResourceClaim', { namespace: 'default' })).items;

/** Claim → the devices that it has. */
const devicesOf = async (story: StoryCluster): Promise<readonly (readonly string[])[]> =>
  (await claimsFor(story)).map(({ status }) => (status?.allocation?.devices?.results ?? []).map(({ pool, device }) => `${pool} ${device}`));

const conditionsOf = ({ status }: NodeClaim, type: string) => status?.conditions?.find((condition) => condition.type === type);

const startWithTypes = async (types: readonly SimulatedInstanceType[], ...objects: readonly KubeObject[]): Promise<StoryCluster> => {
  const story = await aStoryCluster({ batchIdleMs: 500, validationMs: 1_000 }, [], [...defaultInstanceTypes, ...types]);
  await story.create(aStoryPool(), deviceClass, ...objects);
  return story;
};

describe('pods with claims for GPUs', () => {
  test('run on planned nodes, each on devices of its own', async () => {
    await using story = await startWithTypes([gpuType(1), gpuType(4)], aTemplateFor(2), aGpuApp('train', { replicas: 2, count: 2 }));
    await untilRunning(story, 2);
    const claims = await story.claims();
    expect(claims.map(({ metadata }) => metadata.annotations?.['karpenter.sh/requested-dra-drivers'])).toEqual([DRIVER]);
    const devices = await devicesOf(story);
    expect(devices.map((each) => each.length)).toEqual([2, 2]);
    expect(new Set(devices.flat()).size).toBe(4);
  });

  test('go to the cheaper node when the dear one has become too large, and their old devices are free again', async () => {
    await using story = await startWithTypes([gpuType(1), gpuType(4)], aTemplateFor(1), aGpuApp('serve', { replicas: 4, count: 1 }));
    await untilRunning(story, 4);
    const [before] = await story.claims();
    await story.scale('serve', 1);
    await story.until('one node of another size is left', async () => {
      const claims = await story.claims();
      return claims.length === 1 && claims[0]?.metadata.name !== before?.metadata.name;
    });
    await untilRunning(story, 1);
    const [claim] = await story.claims();
    expect(claim?.metadata.labels?.['node.kubernetes.io/instance-type']).toBe('sim-gpu1');
    const [devices] = await devicesOf(story);
    expect(devices).toEqual([`${claim?.metadata.name ?? ''}-gpus gpu-0`]);
  });

  test('request the extended resource of the class, and run on devices of one node', async () => {
    const resource = 'example.com/gpu';
    const resources = { requests: { cpu: '1', [resource]: '2' }, limits: { [resource]: '2' } };
    const named = { ...deviceClass, metadata: { name: 'named' }, spec: { ...deviceClass.spec, extendedResourceName: resource } };
    const app = aGpuApp('train', { replicas: 2, count: 1 });
    const template = { ...app.spec.template, spec: { containers: [{ name: 'main', image: 'cuda', resources }] } };
    await using story = await startWithTypes([gpuType(4)], named, { ...app, spec: { ...app.spec, template } } as KubeObject);
    await untilRunning(story, 2);
    expect(await story.claims()).toHaveLength(1);
    const devices = (await devicesOf(story)).flat();
    expect(new Set(devices).size).toBe(4);
    await story.scale('train', 0);
    await story.until('the claims are gone', async () => (await claimsFor(story)).length === 0);
  });

  test('leave a device to each pod of a DaemonSet that claims one', async () => {
    const { spec } = aGpuApp('monitor', { replicas: 1, count: 1 });
    const daemon = {
      ...{ apiVersion: 'apps/v1', kind: 'DaemonSet', metadata: { name: 'monitor', namespace: 'default' } },
      spec: { selector: spec.selector, template: spec.template },
    } as KubeObject;
    await using story = await startWithTypes(
      [gpuType(2), gpuType(4)],
      aTemplateFor(1),
      daemon,
      aGpuApp('serve', { replicas: 2, count: 1 }),
    );
    await untilRunning(story, 3);
    const [claim, ...others] = await story.claims();
    expect(others).toEqual([]);
    expect(claim?.metadata.labels?.['node.kubernetes.io/instance-type']).toBe('sim-gpu4');
    expect(new Set((await devicesOf(story)).flat()).size).toBe(3);
  });

  test('wait for a claim that is created after them', async () => {
    const pod: KubeObject & Pod = {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'early', namespace: 'default' } },
      spec: {
        containers: [{ name: 'main', image: 'cuda', resources: { requests: { cpu: '1' } } }],
        resourceClaims: [{ name: 'gpus', resourceClaimName: 'late' }],
      },
    };
    await using story = await startWithTypes([gpuType(1)], pod);
    await story.pass(5_000);
    expect(await story.claims()).toEqual([]);
    await story.create({
      apiVersion,
      kind: 'ResourceClaim',
      metadata: { name: 'late', namespace: 'default' },
      spec: specFor(1),
    } as KubeObject);
    await untilRunning(story, 1);
  });
});

describe('a node whose pods have claims, once it drifts', () => {
  const labelled = { spec: { template: { metadata: { labels: { team: 'a' } } } } };

  const everyGpuOf = (claim: NodeClaim | undefined): readonly string[] =>
    [0, 1, 2, 3].map((index) => `${claim?.metadata.name ?? ''}-gpus gpu-${index}`);

  /** Lets the node drift, and returns the only claim that is there when the pods run again. */
  const replacementAfterDrift = async (story: StoryCluster, pods: number): Promise<NodeClaim | undefined> => {
    const old = new Set((await story.claims()).map(({ metadata }) => metadata.name));
    expect(old.size).toBe(1);
    await story.kube.patch('NodePool', { name: 'general' }, { type: 'merge', body: labelled });
    await story.until(
      'the old claim is gone',
      async () => (await story.claims()).every(({ metadata }) => !old.has(metadata.name)),
      1_800_000,
    );
    await untilRunning(story, pods);
    const created = story.decisions.flatMap((each) => (each.kind === 'node-claim-created' ? [each.reason] : []));
    expect(created.filter((reason) => reason === 'Drifted')).toHaveLength(1);
    expect(created).toHaveLength(2);
    const [claim, ...others] = await story.claims();
    expect(others).toEqual([]);
    expect(claim?.metadata.labels).toMatchObject({ team: 'a', 'node.kubernetes.io/instance-type': 'sim-gpu4' });
    return claim;
  };

  test('is replaced by one node with as many devices, and each pod has devices of its own there', async () => {
    await using story = await startWithTypes([gpuType(1), gpuType(4)], aTemplateFor(2), aGpuApp('train', { replicas: 2, count: 2 }));
    await untilRunning(story, 2);
    const claim = await replacementAfterDrift(story, 2);
    expect(claim?.metadata.annotations?.['karpenter.sh/requested-dra-drivers']).toBe(DRIVER);
    const devices = await devicesOf(story);
    expect(devices.map((each) => each.length)).toEqual([2, 2]);
    expect(devices.flat().sort()).toEqual(everyGpuOf(claim));
  });

  test('is replaced by one node where the claim that its pods share is allocated again', async () => {
    const shared = { apiVersion, kind: 'ResourceClaim', metadata: { name: 'shared', namespace: 'default' }, spec: specFor(4) };
    const app = aGpuApp('read', { replicas: 2, count: 4 });
    const spec = { ...app.spec.template.spec, resourceClaims: [{ name: 'gpus', resourceClaimName: 'shared' }] };
    const sharing = { ...app, spec: { ...app.spec, template: { ...app.spec.template, spec } } };
    await using story = await startWithTypes([gpuType(1), gpuType(4)], shared, sharing);
    await untilRunning(story, 2);
    const claim = await replacementAfterDrift(story, 2);
    const uids = (await story.pods()).map(({ metadata }) => metadata.uid);
    const users = (await claimsFor(story)).map(({ status }) => status?.reservedFor?.map(({ uid }) => uid).sort());
    expect(users).toEqual([uids.sort()]);
    const [devices] = await devicesOf(story);
    expect(devices?.toSorted()).toEqual(everyGpuOf(claim));
  });
});

describe('a node whose driver is slow', () => {
  test('is initialized when the driver has published its devices, and no second node is made meanwhile', async () => {
    const slow = gpuType(1, { devicesAfterMs: 60_000 });
    await using story = await startWithTypes([slow], aTemplateFor(1), aGpuApp('serve', { replicas: 1, count: 1 }));
    await story.until('the claim says what is missing', async () =>
      (await story.claims()).some((claim) => conditionsOf(claim, 'Initialized')?.reason === 'DRADriverPoolsNotPublished'),
    );
    await untilRunning(story, 1);
    expect(await story.claims()).toHaveLength(1);
    await story.until('the node is initialized', async () =>
      (await story.claims()).every((claim) => conditionsOf(claim, 'Initialized')?.status === 'True'),
    );
  });
});

describe('a node whose driver never publishes', () => {
  test('is deleted after the initialization timeout, with an event that names the driver', async () => {
    const silent = gpuType(1, { devicesAfterMs: Infinity });
    const story = await aStoryCluster({ batchIdleMs: 500, initializationMs: 120_000 }, [], [...defaultInstanceTypes, silent]);
    await using _ = story;
    await story.create(aStoryPool(), deviceClass, aTemplateFor(1), aGpuApp('serve', { replicas: 1, count: 1 }));
    await story.until('a node is there', async () => (await story.nodes()).length > 0);
    const [first] = await story.claims();
    await story.until('the first claim is gone', async () =>
      (await story.claims()).every(({ metadata }) => metadata.name !== first?.metadata.name),
    );
    const events = (await story.kube.list<KubeObject & { readonly message?: string }>('Event', {})).items;
    expect(events.map(({ message = '' }) => message).filter((message) => message.includes(DRIVER))).not.toEqual([]);
  });
});
