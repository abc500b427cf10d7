import { describe, expect, test } from '@jest/globals';
import type { NodeView } from '../../cluster/index.ts';
import { isStillValid } from '../command-validation.ts';
import { proposeCommand } from '../command-proposal.ts';
import { aCluster, aNode, aRunningPod } from '../testing/a-cluster.ts';
import { aContext } from '../testing/a-context.ts';

/** The pod of `a` fits on `b`, and nothing else is worth a move. */
const nodes = [aNode('a', { cpus: 1, pods: [aRunningPod('web', 0.4)] }), aNode('b', { cpus: 2, pods: [aRunningPod('job', 1.1)] })];

test('a command names the node that takes its pods, also once it is validated', () => {
  const { command } = proposeCommand(aContext(aCluster(nodes)));
  if (command === undefined) throw new Error('a node can go');
  expect([command.candidates.map(({ node }) => node.name), command.targets]).toEqual([['a'], ['b']]);
  expect(isStillValid({ ...command, targets: [] }, aContext(aCluster(nodes)))).toMatchObject({ command: { targets: ['b'] } });
});

describe('while a command has planned pods for a node', () => {
  test('no other command takes the node', () => {
    const { command, blocked } = proposeCommand(aContext(aCluster(nodes), { targets: new Set(['a']) }));
    expect([command, blocked.get('a')]).toEqual([undefined, { kind: 'target' }]);
  });

  test('it stays although it is empty, and other empty nodes go', () => {
    const emptied = aCluster([aNode('empty'), aNode('target')]);
    const { command, blocked } = proposeCommand(aContext(emptied, { targets: new Set(['target']) }));
    expect(command).toMatchObject({ method: 'emptiness', candidates: [{ node: { name: 'empty' } }] });
    expect(blocked.get('target')).toEqual({ kind: 'target' });
  });

  test('it stays also where it was about to go as empty', () => {
    const emptied = aCluster([aNode('empty'), aNode('target')]);
    const { command } = proposeCommand(aContext(emptied));
    if (command === undefined) throw new Error('both can go');
    expect(command.candidates).toHaveLength(2);
    const validity = isStillValid(command, aContext(emptied, { targets: new Set(['target']) }));
    expect(validity).toMatchObject({ valid: true, command: { candidates: [{ node: { name: 'empty' } }] } });
  });
});

test('a node does not go where its pods would take the place of pods of a node that goes already', () => {
  const stays = aRunningPod('stays', 1, { metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } });
  const room = aNode('room', { cpus: 2, pods: [stays] });
  const tall = aNode('tall', { cpus: 16, pods: [aRunningPod('large', 1)] });
  const going = aNode('going', { cpus: 1, isMarkedForDeletion: true, pods: [aRunningPod('small', 0.9)] });
  const proposed = (...others: readonly NodeView[]) => proposeCommand(aContext(aCluster([room, tall, ...others])));
  expect(proposed().command).toMatchObject({ decision: 'delete', candidates: [{ node: { name: 'tall' } }] });
  expect(proposed(going).blocked.get('tall')).toEqual({ kind: 'unschedulable-pods', pods: ['default/small'] });
});

test('a node gives way to a cheaper one also where a pod of a node that goes already has its place on it', () => {
  const large = aNode('large', { cpus: 16, pods: [aRunningPod('web', 3)] });
  const going = aNode('going', { cpus: 1, isMarkedForDeletion: true, pods: [aRunningPod('small', 0.9)] });
  const { command } = proposeCommand(aContext(aCluster([large, going])));
  expect(command).toMatchObject({ decision: 'replace', candidates: [{ node: { name: 'large' } }] });
});
