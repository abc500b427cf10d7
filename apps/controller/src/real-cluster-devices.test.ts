import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { NodePool } from '@karpenter/core';
import type { ResourceClaim } from '@karpenter/core/internal';
import type { KubeObject } from '@karpenter/runtime';
import { aDeployment, aNodeClass, aPool, oneOf } from './testing/clusters/objects.ts';
import { NvidiaDriver } from './testing/clusters/nvidia-driver.ts';
import { controlPlane, describeWithControlPlane } from './testing/processes/control-plane.ts';
import { RealStory } from './testing/processes/real-story.ts';

jest.setTimeout(600_000);

const apiVersion = 'resource.k8s.io/v1';
const DRIVER = 'gpu.nvidia.com';

const deviceClass: KubeObject = {
  ...{ apiVersion, kind: 'DeviceClass', metadata: { name: DRIVER } },
  ...{
    spec: {
      extendedResourceName: 'example.com/gpu',
      selectors: [{ cel: { expression: `device.driver == '${DRIVER}' && device.attributes['${DRIVER}'].type == 'gpu'` } }],
    },
  },
};

const migClass: KubeObject = {
  ...{ apiVersion, kind: 'DeviceClass', metadata: { name: 'mig.nvidia.com' } },
  ...{ spec: { selectors: [{ cel: { expression: `device.driver == '${DRIVER}' && device.attributes['${DRIVER}'].type == 'mig'` } }] } },
};

const aPartition = (profile: string): KubeObject =>
  ({
    ...{ apiVersion, kind: 'ResourceClaimTemplate', metadata: { name: 'partition', namespace: 'default' } },
    spec: {
      spec: {
        devices: {
          requests: [
            {
              name: 'part',
              exactly: {
                deviceClassName: 'mig.nvidia.com',
                selectors: [{ cel: { expression: `device.attributes['${DRIVER}'].profile == '${profile}'` } }],
              },
            },
          ],
        },
      },
    },
  }) as KubeObject;

const splitting = { ...aNodeClass, metadata: { name: 'mig' }, spec: { gpu: { mig: 'Dynamic' } } } as KubeObject;

/** A template whose claims ask for so many GPUs. */
const aTemplateFor = (count: number): KubeObject =>
  ({
    ...{ apiVersion, kind: 'ResourceClaimTemplate', metadata: { name: `gpus-${count}`, namespace: 'default' } },
    spec: { spec: { devices: { requests: [{ name: 'gpus', exactly: { deviceClassName: DRIVER, count } }] } } },
  }) as KubeObject;

const claiming = (count: number): object => ({ resourceClaims: [{ name: 'gpus', resourceClaimTemplateName: `gpus-${count}` }] });

/** A pool of sizes with GPUs of one model, whose nodes are made by a class. */
const gpuPool = (name: string, model: string, nodeClass = 'default'): NodePool & KubeObject => {
  const pool = aPool();
  const { template } = pool.spec;
  const requirements = [oneOf('karpenter.sh/capacity-type', 'on-demand'), oneOf('karpenter.azure.com/sku-gpu-name', model)];
  const nodeClassRef = { ...template.spec.nodeClassRef, name: nodeClass };
  const spec = { ...template.spec, requirements, nodeClassRef };
  return { ...pool, metadata: { name }, spec: { ...pool.spec, template: { ...template, spec } } };
};

/** Gates that Kubernetes 1.35 does not turn on by itself. */
const GATES = ['DRAConsumableCapacity', 'DRADeviceTaints', 'DRAExtendedResource', 'DRAPartitionableDevices'];

describeWithControlPlane("pods with device claims on Kubernetes' own control plane", () => {
  let story: RealStory;
  let driver: NvidiaDriver;

  beforeAll(async () => {
    story = await RealStory.start(controlPlane, { featureGates: GATES });
    driver = new NvidiaDriver(story.cluster.client);
    const classes = [aNodeClass as KubeObject, splitting, deviceClass, migClass];
    const pools = [gpuPool('gpus', 'T4'), gpuPool('parts', 'H100', 'mig')];
    for (const object of [...classes, ...pools, aTemplateFor(1), aTemplateFor(2), aPartition('1g.12gb')]) await story.create(object);
  });

  afterAll(async () => {
    await driver[Symbol.asyncDispose]();
    await story[Symbol.asyncDispose]();
  });

  const allRun = (app: string, count: number): Promise<void> =>
    story.until(`${count} pods of ${app} run`, async () => (await story.running(app)).length === count);

  const claims = async (): Promise<readonly (ResourceClaim & KubeObject)[]> =>
    (await story.cluster.client.list<ResourceClaim & KubeObject>('ResourceClaim', { namespace: 'default' })).items;

  const sizes = async (): Promise<readonly (string | undefined)[]> =>
    (await story.nodes()).map(({ metadata }) => metadata.labels?.['node.kubernetes.io/instance-type']);

  test('kube-scheduler gives each pod a GPU of the node that was made for it', async () => {
    await story.create(aDeployment({ name: 'serve', replicas: 1, podSpec: claiming(1) }));
    await allRun('serve', 1);
    expect(await sizes()).toEqual(['Standard_NC4as_T4_v3']);
    const [node] = await story.nodes();
    const results = (await claims()).flatMap(({ status }) => status?.allocation?.devices?.results ?? []);
    expect(results.map(({ driver: by, pool, device }) => ({ by, pool, device }))).toEqual([
      { by: DRIVER, pool: node?.metadata.name, device: 'gpu-0' },
    ]);
  });

  test('two pods with two GPUs each share a node with four', async () => {
    await story.create(aDeployment({ name: 'train', replicas: 2, podSpec: claiming(2) }));
    await allRun('train', 2);
    expect((await sizes()).includes('Standard_NC64as_T4_v3')).toBe(true);
  });

  test('a pod that requests the extended resource of the class gets a device', async () => {
    const resources = { requests: { cpu: '1', 'example.com/gpu': '1' }, limits: { 'example.com/gpu': '1' } };
    const podSpec = { containers: [{ name: 'main', image: 'pause', resources }] };
    await story.create(aDeployment({ name: 'extended', replicas: 1, podSpec }));
    await allRun('extended', 1);
    const [pod] = await story.running('extended');
    expect(pod?.status?.extendedResourceClaimStatus?.resourceClaimName).toMatch(/^extended-/);
  });

  test('seven pods share one H100, each with a MIG partition of its own', async () => {
    const podSpec = { resourceClaims: [{ name: 'part', resourceClaimTemplateName: 'partition' }] };
    await story.create(aDeployment({ name: 'parts', replicas: 7, podSpec }));
    await allRun('parts', 7);
    expect(new Set((await story.running('parts')).map(({ spec }) => spec.nodeName)).size).toBe(1);
    const results = (await claims()).flatMap(({ status }) => status?.allocation?.devices?.results ?? []);
    const parts = results.filter(({ request }) => request === 'part').map(({ device }) => device);
    expect(new Set(parts).size).toBe(7);
  });

  test('without pods nothing is left, neither in the cluster nor in Azure', async () => {
    for (const name of ['serve', 'train', 'extended', 'parts']) await story.scale(name, 0);
    await story.until('no machine is left', async () => Object.values(await story.machines()).every((count) => count === 0));
    expect(await claims()).toEqual([]);
    expect(story.cluster.failedBootstraps).toEqual([]);
  });
});
