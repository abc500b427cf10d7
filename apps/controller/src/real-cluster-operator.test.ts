import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { KubeObject } from '@karpenter/runtime';
import { aDeployment, aNodeClass, aPool, oneOf } from './testing/clusters/objects.ts';
import { controlPlane, describeWithControlPlane } from './testing/processes/control-plane.ts';
import { RealStory } from './testing/processes/real-story.ts';

jest.setTimeout(600_000);

type Manifest = KubeObject & Readonly<Record<string, unknown>>;

const containers = [{ name: 'main', image: 'pause', resources: { requests: { cpu: '500m' } } }];
const aPod = (name: string, spec: object, finalizers: readonly string[] = []): Manifest => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'default', labels: { app: 'bare' }, finalizers } },
  ...{ spec: { containers, terminationGracePeriodSeconds: 0, ...spec } },
});

const aVolume: Manifest = {
  ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name: 'vol' } },
  ...{ spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], csi: { driver: 'disk.example.com', volumeHandle: 'vol' } } },
};
const attachedTo = (nodeName: string): Manifest => ({
  ...{ apiVersion: 'storage.k8s.io/v1', kind: 'VolumeAttachment', metadata: { name: 'vol' } },
  ...{ spec: { attacher: 'disk.example.com', nodeName, source: { persistentVolumeName: 'vol' } } },
});

/** Two chunks of one core. */
const aBuffer: readonly Manifest[] = [
  {
    ...{ apiVersion: 'v1', kind: 'PodTemplate', metadata: { name: 'chunk', namespace: 'default' } },
    ...{ template: { spec: { containers: [{ name: 'main', image: 'pause', resources: { requests: { cpu: '1' } } }] } } },
  },
  {
    ...{ apiVersion: 'autoscaling.x-k8s.io/v1beta1', kind: 'CapacityBuffer', metadata: { name: 'warm', namespace: 'default' } },
    ...{ spec: { podTemplateRef: { name: 'chunk' }, replicas: 2 } },
  },
];

const labelled = (labels: Readonly<Record<string, string>>): Manifest => {
  const { spec, ...pool } = aPool();
  return { ...pool, metadata: { name: 'shared' }, spec: { ...spec, template: { ...spec.template, metadata: { labels } } } };
};

describeWithControlPlane("an operator with kubectl on Kubernetes' own control plane", () => {
  let story: RealStory;

  beforeAll(async () => {
    // Kubernetes' kubelet ends a pod although a finalizer holds its object. The simulator's keeps one that ends late.
    story = await RealStory.start(controlPlane, { hasSimulatedKubelets: true });
    await story.create(aNodeClass as KubeObject);
    await story.create(aPool([oneOf('karpenter.azure.com/sku-cpu', '2', '4', '8')]));
  });

  afterAll(() => story[Symbol.asyncDispose]());

  const nodeNames = async (): Promise<readonly string[]> => (await story.nodes()).map(({ metadata }) => metadata.name);

  test('sees of a drain that it waits for a pod without an end, for a priority group, then for a volume', async () => {
    await story.create(aPod('endless', {}, ['example.com/hold']));
    await story.create(aPod('critical', { priorityClassName: 'system-cluster-critical' }));
    await story.until('both pods run', async () => (await story.running('bare')).length === 2);
    const [name = ''] = await nodeNames();
    const claim = name.replace(/^aks-/, '');
    await story.apply(aVolume);
    await story.apply(attachedTo(name));
    await story.kubectl('delete', 'node', name, '--wait=false');

    const sees = async (reason: string, condition: string, texts: readonly RegExp[]): Promise<void> => {
      for (const text of texts) {
        await story.shows(text, 'describe', 'node', name);
        await story.shows(text, 'describe', 'nodeclaim', claim);
        await story.shows(text, 'get', 'events', '--field-selector', `reason=${reason},involvedObject.kind=NodeClaim`);
        await story.shows(text, 'get', 'nodeclaim', claim, '-o', `jsonpath={.status.conditions[?(@.type=="${condition}")].message}`);
      }
    };
    await sees('FailedDraining', 'Drained', [
      /default\/endless \(terminating, due at \S+\)/,
      /default\/critical \(waits for pods of a lower priority group to leave\)/,
    ]);
    expect((await story.pods('bare')).map(({ metadata }) => metadata.name).sort()).toEqual(['critical', 'endless']);

    await story.kubectl('patch', 'pod', 'endless', '--type=merge', '-p', '{"metadata":{"finalizers":null}}');
    await sees('AwaitingVolumeDetachment', 'VolumesDetached', [/Awaiting the detachment of volumes: vol/]);
    expect(await story.pods('bare')).toEqual([]);
    await story.kubectl('delete', 'volumeattachment', 'vol');
    await story.until('the node is gone', async () => (await nodeNames()).length === 0);
  });

  test('sees why a pool of a foreign class launches nothing for the pod that is pinned to it', async () => {
    const { spec, ...pool } = aPool();
    const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
    const template = { ...spec.template, spec: { ...spec.template.spec, nodeClassRef } };
    await story.create({ ...pool, metadata: { name: 'foreign' }, ...{ spec: { ...spec, template } } });
    await story.create(aPod('pinned', { nodeSelector: { 'karpenter.sh/nodepool': 'foreign' } }));
    await story.shows(
      /FailedScheduling .*NodePool foreign: its nodeClassRef names a group and kind of another provider/,
      ...['describe', 'pod', 'pinned'],
    );
    expect(await story.kubectl('get', 'nodepool', 'foreign', '-o', 'jsonpath={.status.conditions}')).toBe('');
    for (const kind of ['nodepool/foreign', 'pod/pinned']) await story.kubectl('delete', kind, '--wait=false');
  });

  test('creates a CapacityBuffer, waits for its room, sees its price, uses it and deletes it', async () => {
    for (const object of aBuffer) await story.apply(object);
    await story.kubectl('wait', 'capacitybuffer/warm', '--for=condition=Provisioning', '--timeout=120s');
    await story.shows(/^warm \S+ chunk 2 ReadyForProvisioning True Resolved \S+ 0\.\d+/m, 'get', 'cb', '-o', 'wide');
    const before = await nodeNames();
    expect(before).toHaveLength(1);

    await story.create(aDeployment({ name: 'burst', replicas: 2 }));
    await story.until('the pods run in the room of the buffer', async () => {
      const nodes = (await story.running('burst')).map(({ spec }) => spec.nodeName ?? '');
      return nodes.length === 2 && nodes.every((node) => before.includes(node));
    });
    await story.until('the room is made again', async () => (await nodeNames()).length === 2);
    await story.scale('burst', 0);
    await story.kubectl('delete', 'cb', 'warm');
    await story.until('nothing is left', async () => Object.values(await story.machines()).every((count) => count === 0));
  });

  test('resizes a pod in place: granted, deferred until other pods leave, then infeasible, and no node comes for it', async () => {
    for (const wanted of [
      { name: 'resized', replicas: 1 },
      { name: 'filler', replicas: 2 },
    ])
      await story.create(aDeployment(wanted));
    await story.until('all run', async () => (await story.running('resized')).length === 1 && (await story.running('filler')).length === 2);
    const before = await nodeNames();
    expect(before).toHaveLength(1);
    const pod = (await story.running('resized'))[0]?.metadata.name ?? '';
    const resize = (cpu: string): Promise<string> => {
      const patch = { spec: { containers: [{ name: 'main', resources: { requests: { cpu } } }] } };
      return story.kubectl('patch', 'pod', pod, '--subresource=resize', '-p', JSON.stringify(patch));
    };
    const runsWith = (cpu: string): Promise<void> =>
      story.shows(new RegExp(`^${cpu}$`), 'get', 'pod', pod, '-o', 'jsonpath={.status.containerStatuses[0].resources.requests.cpu}');

    await resize('1500m');
    await runsWith('1500m');
    await resize('3');
    await story.shows(/Normal ResizePending .*The resize waits for room on node/, 'describe', 'pod', pod);
    await runsWith('1500m');
    await story.scale('filler', 0);
    await runsWith('3');
    await resize('7');
    await story.shows(/Warning ResizePending .*cannot hold the resize/, 'describe', 'pod', pod);
    expect(await nodeNames()).toEqual(before);
    await story.scale('resized', 0);
    await story.until('nothing is left', async () => (await nodeNames()).length === 0);
  });

  test('owns the labels of a pool that it applies: another field manager gets a conflict', async () => {
    await story.apply(labelled({ team: 'one' }), '--server-side', '--field-manager=one');
    const other = story.apply(labelled({ tier: 'two' }), '--server-side', '--field-manager=two');
    await expect(other).rejects.toThrow(/conflict.*\.spec\.template\.metadata\.labels/s);
    await story.kubectl('delete', 'nodepool', 'shared');
  });
});
