import { expect, test } from '@jest/globals';
import { fakeClock, type KubeObject } from '@karpenter/runtime';
import { whyPod } from '../answer/why-pod.ts';
import { kwokCatalog } from '../catalog/kwok-catalog.ts';
import { SAMPLE_NOW_MS, sampleCluster } from '../testing/sample-cluster.ts';
import { fileReader } from './file-reader.ts';
import { openCluster } from './opened-cluster.ts';

const DRIVER = 'old.csi.example.com';
const scheduled = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable' };

const aPodWithVolume: readonly (KubeObject & Readonly<Record<string, unknown>>)[] = [
  {
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'old' } },
    ...{ provisioner: DRIVER, volumeBindingMode: 'WaitForFirstConsumer' },
  },
  {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data', namespace: 'default' } },
    spec: { storageClassName: 'old', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'db', namespace: 'default', uid: 'db' } },
    spec: {
      containers: [{ name: 'main', image: 'db' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
    status: { phase: 'Pending', conditions: [scheduled] },
  },
];

test.each([
  [
    'its pod gets the reason and no node',
    new Set([DRIVER]),
    expect.objectContaining({ kind: 'no-place', why: expect.stringContaining(DRIVER) }),
  ],
  ['a pod with another volume gets a node', new Set(['other.csi.example.com']), expect.not.objectContaining({ kind: 'no-place' })],
])('when the nodes of a provider cannot have a volume › %s', async (_outcome, provisioners, answer) => {
  const catalog = { ...kwokCatalog(), unsupportedVolumes: { provisioners } };
  const reader = fileReader([...sampleCluster(), ...aPodWithVolume]);
  await using cluster = await openCluster({ reader, clock: fakeClock(SAMPLE_NOW_MS), catalogs: [catalog] });
  const pod = cluster.pods().find(({ metadata }) => metadata.name === 'db');
  if (pod === undefined) throw new Error('the pod was not read');
  expect(whyPod(pod, await cluster.snapshot(), cluster.policy)).toEqual(answer);
});
