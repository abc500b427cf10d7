import { describe, expect, test } from '@jest/globals';
import type { CapacityBuffer } from '../../apis/index.ts';
import { virtualPods } from '../../cluster/index.ts';
import type { BufferView } from '../../cluster/index.ts';
import { isStillValid } from '../command-validation.ts';
import { proposeCommand } from '../command-proposal.ts';
import { aCluster, aNode, aRunningPod, aPool, candidateNames } from '../testing/a-cluster.ts';
import { aContext } from '../testing/a-context.ts';

/** A buffer of `chunks` chunks that request so many cpus each. */
const bufferOf = (chunks: number, cpus: number): BufferView => {
  const buffer: CapacityBuffer = {
    apiVersion: 'autoscaling.x-k8s.io/v1beta1',
    kind: 'CapacityBuffer',
    metadata: { name: 'spare', namespace: 'shop', uid: 'buffer' },
    spec: { podTemplateRef: { name: 'chunk' }, replicas: chunks },
  };
  const { spec } = aRunningPod('chunk', cpus);
  return { buffer, virtualPods: virtualPods(buffer, { spec }, chunks) };
};

const proposeWithBuffers = (nodes: Parameters<typeof aCluster>[0], buffers: readonly BufferView[], pool = aPool()) =>
  proposeCommand(aContext({ ...aCluster(nodes, { nodePools: [pool] }), buffers }));

describe('an empty node with the room of a buffer', () => {
  test('stays, and others go', () => {
    const { command, blocked } = proposeWithBuffers([aNode('a'), aNode('b'), aNode('c')], [bufferOf(2, 4)]);
    expect(candidateNames(command?.candidates)).toHaveLength(1);
    expect(blocked.size).toBe(2);
  });

  test('goes, when the buffer is gone or has no chunk', () => {
    for (const buffers of [[], [bufferOf(0, 4)]]) {
      expect(proposeWithBuffers([aNode('a')], buffers).command).toMatchObject({
        method: 'emptiness',
        candidates: [{ node: { name: 'a' } }],
      });
    }
  });

  test('is not empty, where a pod runs on it as well', () => {
    const policy = aPool({ disruption: { consolidationPolicy: 'WhenEmpty' } });
    expect(proposeWithBuffers([aNode('a', { pods: [aRunningPod('web', 1)] })], [bufferOf(1, 1)], policy).command).toBeUndefined();
  });

  test('stays, although its command was found before the buffer came', () => {
    const before = aCluster([aNode('a'), aNode('b')]);
    const { command } = proposeCommand(aContext(before));
    if (command === undefined) throw new Error('there is a command');
    const after = isStillValid(command, aContext({ ...before, buffers: [bufferOf(1, 4)] }));
    expect(after.valid && candidateNames(after.command.candidates)).toHaveLength(1);
  });

  test('has the buffer as its reason, where its pool consolidates empty nodes only', () => {
    const { command, blocked } = proposeWithBuffers(
      [aNode('a')],
      [bufferOf(1, 4)],
      aPool({ disruption: { consolidationPolicy: 'WhenEmpty' } }),
    );
    expect(command).toBeUndefined();
    expect(blocked.get('a')).toEqual({ kind: 'capacity-buffer', buffers: ['shop/spare'] });
  });

  // The original keeps it as long as the buffer is there.
  test('is replaced by a cheaper one that the buffer fits on', () => {
    const { command } = proposeWithBuffers([aNode('a', { cpus: 16 })], [bufferOf(1, 2)]);
    expect(command).toMatchObject({ method: 'single-node', decision: 'replace', replacements: [{ pods: [] }] });
    expect(command?.replacements[0]?.cheapest.instanceType.name).toBe('cpu-2');
  });

  test('is replaced when it has drifted, and the replacement has the room', () => {
    const { command } = proposeWithBuffers([aNode('a', { driftedAt: '2026-11-20T09:00:00Z' })], [bufferOf(1, 3)]);
    expect(command).toMatchObject({ method: 'drift', decision: 'replace' });
    expect(command?.replacements[0]?.cheapest.instanceType.name).toBe('cpu-4');
  });
});

describe('consolidation of a node with pods', () => {
  const busy = () => aNode('busy', { pods: [aRunningPod('web', 1)] });

  // kube-scheduler would put the pod on the room of the buffer, which would have to be made again for as much.
  test('does not take the room of a buffer', () => {
    const { command, blocked } = proposeWithBuffers([busy(), aNode('spare')], [bufferOf(1, 4)]);
    expect(command).toBeUndefined();
    expect(blocked.get('busy')).toMatchObject({ kind: 'no-cheaper-replacement' });
  });

  test('replaces it by cheaper ones that its pods and the buffer fit on', () => {
    const { command } = proposeWithBuffers([aNode('large', { cpus: 16, pods: [aRunningPod('web', 1)] })], [bufferOf(1, 2)]);
    expect(command?.replacements.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual(['web']);
    const cpus = command?.replacements.reduce((sum, { cheapest }) => sum + (cheapest.instanceType.capacity['cpu'] ?? 0), 0);
    expect(cpus).toBe(3000);
  });

  test('deletes it, where its pods fit beside the buffer', () => {
    const { command } = proposeWithBuffers([busy(), aNode('other', { pods: [aRunningPod('api', 1)] })], [bufferOf(1, 2)]);
    expect(command).toMatchObject({ decision: 'delete' });
  });

  test('is not stopped by a buffer that fits nowhere anyway', () => {
    const { command } = proposeWithBuffers([busy(), aNode('other', { pods: [aRunningPod('api', 1)] })], [bufferOf(1, 64)]);
    expect(command).toBeDefined();
  });
});
