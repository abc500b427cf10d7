import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '../../../apis/index.ts';
import type { Node, Taint } from '../../../kube/index.ts';
import { aKubeNode, aNodeClaim } from '../../../testing/objects.ts';
import { initializationOf } from './initialization.ts';

const startup: Taint = { key: 'example.com/agent', effect: 'NoSchedule' };
const claim = aNodeClaim('a', {
  spec: {
    startupTaints: [startup],
    resources: { requests: { cpu: '1', 'nvidia.com/gpu': '1', 'example.com/none': '0' } },
  },
});
const joinedNode = ({
  ready = 'True',
  taints = [],
  gpus = '1',
}: { ready?: 'True' | 'False'; taints?: readonly Taint[]; gpus?: string } = {}): Node =>
  aKubeNode('n', {
    spec: { taints },
    status: { conditions: [{ type: 'Ready', status: ready }], allocatable: { cpu: '4', 'nvidia.com/gpu': gpus } },
  });

describe('a node whose pods wait for devices', () => {
  const waiting: NodeClaim = {
    ...claim,
    metadata: { ...claim.metadata, annotations: { 'karpenter.sh/requested-dra-drivers': 'gpu.example.com, nic.example.com' } },
  };

  test('is not initialized before each driver has published a whole pool: the condition names the first that has not', () => {
    expect(initializationOf(waiting, joinedNode(), new Set(['gpu.example.com']))).toEqual({
      kind: 'waiting',
      reason: 'DRADriverPoolsNotPublished',
      message: 'DRA driver "nic.example.com" has not published a complete resource pool',
    });
  });

  test('is initialized when all have, and where ResourceClaims are ignored', () => {
    const all = new Set(['gpu.example.com', 'nic.example.com']);
    for (const drivers of [all, undefined]) expect(initializationOf(waiting, joinedNode(), drivers)).toEqual({ kind: 'initialized' });
  });
});

describe('a node is initialized', () => {
  test.each([
    ['not before it is there', undefined, 'NodeNotFound'],
    ['not before it is ready', joinedNode({ ready: 'False' }), 'NodeNotReady'],
    ['not while a startup taint is on it', joinedNode({ taints: [{ ...startup, value: 'x' }] }), 'StartupTaintsExist'],
    [
      'not while its cloud is still busy with it',
      joinedNode({ taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] }),
      'KnownEphemeralTaintsExist',
    ],
    ['not before it has the requested resources', joinedNode({ gpus: '0' }), 'ResourceNotRegistered'],
  ])('%s', (_, node, reason) => {
    expect(initializationOf(claim, node)).toMatchObject({ kind: 'waiting', reason });
  });

  test('when all of that is so, whatever other taints it has', () => {
    expect(initializationOf(claim, joinedNode({ taints: [{ key: 'team', effect: 'NoSchedule' }] }))).toEqual({ kind: 'initialized' });
  });
});
