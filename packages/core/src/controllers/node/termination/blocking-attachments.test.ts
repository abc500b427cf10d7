import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../../kube/index.ts';
import type { VolumeAttachment } from '../../../ports/index.ts';
import { aPod } from '../../../testing/objects.ts';
import { blockingAttachments, volumeTexts } from './termination.ts';

const attached = (nodeName: string, persistentVolumeName?: string): VolumeAttachment => ({
  metadata: { name: `${nodeName}-${persistentVolumeName ?? 'inline'}` },
  spec: { nodeName, source: persistentVolumeName === undefined ? {} : { persistentVolumeName } },
});

const podWithVolumes = (name: string, volumes: NonNullable<Pod['spec']['volumes']>): Pod =>
  aPod(name, { metadata: { namespace: 'shop' }, spec: { volumes } });

const VOLUMES: Readonly<Record<string, string>> = { 'shop/data': 'pv-data', 'shop/agent-scratch': 'pv-scratch' };

/** Names of the volumes that `node` waits for. */
const ask = (attachments: readonly VolumeAttachment[], staying: readonly Pod[]): readonly (string | undefined)[] => {
  const claims = {
    get: ({ namespace = '', name }: { readonly namespace?: string; readonly name: string }) => {
      const volumeName = VOLUMES[`${namespace}/${name}`];
      return volumeName === undefined ? undefined : { metadata: { name, namespace }, spec: { volumeName } };
    },
  };
  return blockingAttachments('node', { attachments, staying, claims }).map(({ spec }) => spec.source.persistentVolumeName);
};

describe('a node that is drained waits for', () => {
  test('the volumes that are attached to it, not those of other nodes, nor those without a name', () => {
    expect(ask([attached('node', 'pv-data'), attached('other', 'pv-2'), attached('node')], [])).toEqual(['pv-data']);
  });

  test('no volume of a pod that stays, whether it claims it or it comes with the pod', () => {
    const agent = podWithVolumes('agent', [
      { name: 'disk', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'scratch', ephemeral: { volumeClaimTemplate: { spec: {} } } },
    ]);
    const volumes = ask(
      ['pv-data', 'pv-scratch', 'pv-3'].map((name) => attached('node', name)),
      [agent],
    );
    expect(volumes).toEqual(['pv-3']);
  });

  test('the volumes beside those of a pod that names claims which are not there, or other kinds of volumes', () => {
    const mounting = podWithVolumes('odd', [{ name: 'config' }, { name: 'disk', persistentVolumeClaim: { claimName: 'missing' } }]);
    expect(ask([attached('node', 'pv-3')], [mounting])).toEqual(['pv-3']);
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
