import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../../kube/index.ts';
import type { Kube, VolumeAttachment } from '../../../ports/index.ts';
import { aPod } from '../../../testing/objects.ts';
import { blockingAttachments, volumeTexts } from './termination.ts';

const { signal } = new AbortController();

const attached = (nodeName: string, persistentVolumeName?: string): VolumeAttachment => ({
  metadata: { name: `${nodeName}-${persistentVolumeName ?? 'inline'}` },
  spec: { nodeName, source: persistentVolumeName === undefined ? {} : { persistentVolumeName } },
});

const podOf = (name: string, volumes: NonNullable<Pod['spec']['volumes']>): Pod =>
  aPod(name, { metadata: { namespace: 'shop' }, spec: { volumes } });

const VOLUMES: Readonly<Record<string, string>> = { 'shop/data': 'pv-data', 'shop/agent-scratch': 'pv-scratch' };

/** Names of the volumes that `node` waits for, and the claims that were read. */
const ask = async (attachments: readonly VolumeAttachment[], staying: readonly Pod[]) => {
  const asked: string[] = [];
  const kube = {
    get: (_kind: string, { namespace = '', name }: { readonly namespace?: string; readonly name: string }) => {
      asked.push(`${namespace}/${name}`);
      const volumeName = VOLUMES[`${namespace}/${name}`];
      return Promise.resolve(volumeName === undefined ? undefined : { spec: { volumeName } });
    },
  } as unknown as Kube;
  const blocking = await blockingAttachments('node', { attachments, staying, kube }, signal);
  return { volumes: blocking.map(({ spec }) => spec.source.persistentVolumeName), asked };
};

describe('a node that is drained waits for', () => {
  test('the volumes that are attached to it, not those of other nodes, nor those without a name', async () => {
    const { volumes, asked } = await ask([attached('node', 'pv-data'), attached('other', 'pv-2'), attached('node')], []);
    expect([volumes, asked]).toEqual([['pv-data'], []]);
  });

  test('no volume of a pod that stays, whether it claims it or it comes with the pod', async () => {
    const agent = podOf('agent', [
      { name: 'disk', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: {} } } },
    ]);
    const { volumes } = await ask(
      ['pv-data', 'pv-scratch', 'pv-3'].map((name) => attached('node', name)),
      [agent],
    );
    expect(volumes).toEqual(['pv-3']);
  });

  test('asks the API for claims only, and only once for a shared one: configuration and secrets are no claims', async () => {
    const mounting = (name: string): Pod =>
      podOf(name, [{ name: 'config' }, { name: 'disk', persistentVolumeClaim: { claimName: 'data' } }]);
    const { asked } = await ask([attached('node', 'pv-3')], [mounting('a'), mounting('b')]);
    expect(asked).toEqual(['shop/data']);
  });
});

test('volumes that a drained node waits for are named with the claims that they are bound to', () => {
  const claims = [
    { metadata: { name: 'data', namespace: 'shop' }, spec: { volumeName: 'pv-2' } },
    { metadata: { name: 'unbound', namespace: 'shop' }, spec: {} },
  ];
  const attachments = [attached('n', 'pv-2'), attached('n'), attached('n', 'pv-1')];
  expect(volumeTexts(attachments, claims)).toEqual(['pv-1', 'pv-2 (claim shop/data)']);
});
