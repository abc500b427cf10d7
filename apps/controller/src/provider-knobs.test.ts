import { expect, jest, test } from '@jest/globals';
import type { ApiObject } from '@karpenter/api-server';
import { aNodeClass, aPool } from './testing/clusters/objects.ts';
import { startStoryIn } from './testing/stories/story.ts';

jest.setTimeout(300_000);

const DRIVER = 'old.csi.example.com';

const aPodWithVolume: readonly (ApiObject & Readonly<Record<string, unknown>>)[] = [
  {
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'old' } },
    ...{ provisioner: DRIVER, volumeBindingMode: 'WaitForFirstConsumer' },
  },
  {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data', namespace: 'default' } },
    spec: { storageClassName: 'old', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  {
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'db', namespace: 'default' } },
    spec: {
      containers: [{ name: 'main', image: 'db' }],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }],
    },
  },
];

test('when the nodes of a provider cannot have a volume › its pod gets the reason and no node', async () => {
  const knobs = { unsupportedVolumes: { provisioners: new Set([DRIVER]) } };
  await using story = await startStoryIn({ knobs }, aNodeClass, aPool(), ...aPodWithVolume);
  const reason = `its provisioner ${DRIVER} does not work on nodes that Karpenter launches`;
  await story.until('the pod says why', () => story.reported('Pod', 'FailedScheduling').some((text) => text.includes(reason)));
  expect(story.census()).toMatchObject({ claims: 0, vms: 0 });
});
