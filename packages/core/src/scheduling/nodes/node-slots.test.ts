import { describe, expect, test } from '@jest/globals';
import { finish } from '../../base/index.ts';
import { storageViewOf } from '../../cluster/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import type { PersistentVolumeClaim, Pod } from '../../kube/index.ts';
import { defaultLabelCatalog } from '../../requirements/index.ts';
import type { PodShape } from '../pod-classes/pod-shape.ts';
import { aBareNode, aBareSnapshot } from '../../cluster/testing/a-bare-cluster.ts';
import { aPod, aVolumeClaim } from '../../testing/objects.ts';
import { readingSlots } from './node-slots.ts';
import type { Slots } from './node-slots.ts';

const podWithSlots = (name: string, claims: readonly string[] = [], hostPort?: number): Pod =>
  aPod(name, {
    metadata: { namespace: 'shop' },
    spec: {
      containers: [{ name: 'main', ports: hostPort === undefined ? [] : [{ containerPort: hostPort, hostPort }] }],
      ...(claims.length === 0 ? {} : { volumes: claims.map((claimName) => ({ name: claimName, persistentVolumeClaim: { claimName } })) }),
    },
  });
const boundClaim = (name: string, volumeName: string): PersistentVolumeClaim =>
  aVolumeClaim(name, { metadata: { annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } }, spec: { volumeName } });
const storage = storageViewOf({
  claims: [boundClaim('a', 'disk-a'), boundClaim('b', 'disk-b'), boundClaim('f', 'files')],
  volumes: [
    { metadata: { name: 'disk-a' }, spec: { csi: { driver: 'disk' } } },
    { metadata: { name: 'disk-b' }, spec: { csi: { driver: 'disk' } } },
    { metadata: { name: 'files' }, spec: { csi: { driver: 'file' } } },
  ],
  classes: [],
});
const nodeWithVolumeLimits = (volumeLimits: Readonly<Record<string, number>>, ...pods: readonly Pod[]): NodeView =>
  aBareNode({ volumeLimits, pods });

const preferences = { kept: [], cutCount: 0 };
const shape: PodShape = {
  size: '',
  frame: '',
  requests: {},
  relaxationOrder: [],
  preferences,
  preferred: [],
  byName: [],
  problem: undefined,
};
const readable: PodShape = { ...shape, relaxationOrder: [[]] };

const slotsOf = (node: NodeView, ...pendingPods: readonly Pod[]): Slots =>
  finish(
    readingSlots(aBareSnapshot({ nodes: [node], pendingPods, storage }), {
      daemons: [],
      catalog: defaultLabelCatalog,
      shapeOf: ({ nodeName }) => (nodeName === 'unreadable' ? shape : readable),
    }),
  );

describe('the slots of a snapshot', () => {
  test('are of ports that several want and of drivers that are limited and used, in order', () => {
    const node = nodeWithVolumeLimits({ tape: 1, file: 2, disk: 3 }, podWithSlots('r', ['a'], 80));
    const slots = slotsOf(node, podWithSlots('p', ['f'], 80));
    expect(slots.names).toEqual(['host port 80/TCP', 'volumes of disk', 'volumes of file']);
    expect(['disk', 'file', 'tape'].map(slots.ofDriver)).toEqual(['volumes of disk', 'volumes of file', undefined]);
  });

  test('are none where no driver is limited and no port sought twice', () => {
    const node = nodeWithVolumeLimits({}, podWithSlots('r', ['a'], 80));
    const slots = slotsOf(node, podWithSlots('p', ['b'], 81));
    expect(slots.names).toEqual([]);
    expect(slots.freeOn(node)).toEqual({});
    expect(slots.takenBy(podWithSlots('p', ['b'], 81))).toEqual({});
  });

  test('are in order where drivers sort before ports', () => {
    const slots = slotsOf(
      nodeWithVolumeLimits({ disk: 3 }, podWithSlots('r', ['a'])),
      podWithSlots('p', [], 90),
      podWithSlots('q', [], 90),
      podWithSlots('s', [], 80),
      podWithSlots('t', [], 80),
    );
    expect(slots.names).toEqual(['host port 80/TCP', 'host port 90/TCP', 'volumes of disk']);
  });

  test('leave out what only a pod wants that cannot be read', () => {
    const pod = podWithSlots('p', ['f']);
    const unreadable = { ...pod, spec: { ...pod.spec, nodeName: 'unreadable' } };
    expect(slotsOf(nodeWithVolumeLimits({ file: 2 }), unreadable).names).toEqual([]);
    expect(slotsOf(nodeWithVolumeLimits({ file: 2 }), pod).names).toEqual(['volumes of file']);
  });
});

describe('on a node', () => {
  const node = nodeWithVolumeLimits(
    { disk: 3, file: 1 },
    podWithSlots('r', ['a'], 80),
    podWithSlots('s', ['a', 'b']),
    podWithSlots('t', ['f']),
  );
  const read = (): Slots => slotsOf(node, podWithSlots('p', ['f', 'b'], 80), podWithSlots('q', [], 443), podWithSlots('u', [], 443));

  test('a volume that several of its pods share is attached once', () => {
    const slots = read();
    expect(slots.freeOn(node)).toEqual({ 'host port 80/TCP': 0, 'host port 443/TCP': 1, 'volumes of disk': 1, 'volumes of file': 0 });
    expect(slots.claimsOn(node)).toEqual(['shop/a', 'shop/a', 'shop/b', 'shop/f']);
  });

  test('a pod takes its ports, and the volumes that it alone uses', () => {
    expect(read().takenBy(podWithSlots('x', ['a'], 443))).toEqual({ 'host port 443/TCP': 1, 'volumes of disk': 0, 'volumes of file': 0 });
    const alone = slotsOf(nodeWithVolumeLimits({ disk: 3 }), podWithSlots('p', ['a', 'b']));
    expect(alone.takenBy(podWithSlots('p', ['a', 'b']))).toEqual({ 'volumes of disk': 2 });
    expect(alone.takenBy(podWithSlots('x'))).toEqual({});
  });
});
