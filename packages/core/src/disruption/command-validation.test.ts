import { describe, expect, test } from '@jest/globals';
import type { ClusterSnapshot, NodeView } from '../cluster/index.ts';
import type { Command } from './command.ts';
import { isStillValid } from './command-validation.ts';
import { proposeCommand } from './command-proposal.ts';
import type { Validity } from './command.ts';
import { aBudget, aCluster, aNode, aRunningPod, aPool, aType, NOW } from './testing/a-cluster.ts';
import { aContext } from './testing/a-context.ts';

const commandFor = (snapshot: ClusterSnapshot): Command => {
  const { command } = proposeCommand(aContext(snapshot));
  if (command === undefined) throw new Error('The first snapshot gives a command');
  return command;
};

const web = aRunningPod('web', 3);
const driftedAt = '2026-11-20T09:00:00Z';
const empty = aCluster([aNode('a'), aNode('b')]);
const dear = aCluster([aNode('a', { cpus: 16, pods: [web] })]);
const drifted = aCluster([aNode('a', { driftedAt, pods: [aRunningPod('web', 4)] })], {
  nodePools: [aPool({ disruption: { consolidateAfter: 'Never' } })],
});
const later = (before: ClusterSnapshot, nodes: readonly NodeView[], rest: Partial<ClusterSnapshot> = {}): ClusterSnapshot => ({
  ...before,
  nodes,
  ...rest,
});

interface Case {
  readonly before: ClusterSnapshot;
  readonly after: ClusterSnapshot;
  readonly answer: 'valid' | Extract<Validity, { valid: false }>['why'];
}

describe('fifteen seconds later, a command', () => {
  test.each<[string, Case]>([
    ['to delete empty nodes holds when nothing changed', { before: empty, after: empty, answer: 'valid' }],
    ['to replace holds when nothing changed', { before: dear, after: dear, answer: 'valid' }],
    ['to follow a drift holds when nothing changed', { before: drifted, after: drifted, answer: 'valid' }],
    ['fails when a node is gone', { before: dear, after: later(dear, [aNode('b')]), answer: 'candidate-gone' }],
    [
      'fails when another machine has taken the name',
      { before: dear, after: later(dear, [{ ...aNode('x', { cpus: 16, pods: [web] }), name: 'a' }]), answer: 'candidate-gone' },
    ],
    ['to delete empty nodes fails when all are gone', { before: empty, after: later(empty, []), answer: 'candidate-gone' }],
    [
      'to delete empty nodes fails when a pod has come to each',
      { before: empty, after: later(empty, [aNode('a', { pods: [web] }), aNode('b', { pods: [aRunningPod('api', 1)] })]), answer: 'churn' },
    ],
    [
      'fails when a pod is expected',
      { before: dear, after: later(dear, [aNode('a', { cpus: 16, pods: [web], nominatedUntilMs: NOW + 1 })]), answer: 'churn' },
    ],
    [
      'fails when pods have changed too recently',
      { before: dear, after: later(dear, [aNode('a', { cpus: 16, pods: [web], isConsolidatable: false })]), answer: 'churn' },
    ],
    [
      'fails when a pod is protected now',
      { before: dear, after: later(dear, dear.nodes, { podDisruptionBudgets: [aBudget('web', 0)] }), answer: 'churn' },
    ],
    [
      'fails when the node is no longer drifted',
      { before: drifted, after: later(drifted, [aNode('a', { pods: [web] })]), answer: 'churn' },
    ],
    [
      'fails when the budget has shrunk to nothing',
      {
        before: empty,
        after: later(empty, empty.nodes, { nodePools: [aPool({ disruption: { budgets: [{ nodes: '0' }] } })] }),
        answer: 'budget',
      },
    ],
    [
      'fails when another node of the pool fell ill',
      {
        before: later(dear, dear.nodes, { nodePools: [aPool({ disruption: { budgets: [{ nodes: '1' }] } })] }),
        after: later(dear, [...dear.nodes, aNode('ill', { isReady: false, pods: [aRunningPod('x', 4)] })], {
          nodePools: [aPool({ disruption: { budgets: [{ nodes: '1' }] } })],
        }),
        answer: 'budget',
      },
    ],
    [
      'fails when its pods need more now',
      { before: dear, after: later(dear, [aNode('a', { cpus: 16, pods: [aRunningPod('web', 7)] })]), answer: 'scheduling' },
    ],
    [
      'fails when fewer machines would do and the node is nearly as cheap by now',
      {
        before: dear,
        after: later(dear, [...dear.nodes, aNode('new', { pods: [aRunningPod('y', 1)] })], {
          nodePools: [aPool({ instanceTypes: [aType(4), aType(16, 0.5)] })],
        }),
        answer: 'scheduling',
      },
    ],
    [
      'fails when a drifted node’s pods find no place now',
      { before: drifted, after: later(drifted, [aNode('a', { driftedAt, pods: [aRunningPod('web', 64)] })]), answer: 'scheduling' },
    ],
  ])('%s', (_, { before, after, answer }) =>
    expect(isStillValid(commandFor(before), aContext(after))).toMatchObject(
      answer === 'valid' ? { valid: true } : { valid: false, why: answer },
    ),
  );
});

describe('fifteen seconds later, fewer machines', () => {
  test('none where one was planned: the node is deleted and nothing launched', () => {
    const command = commandFor(dear);
    const roomy = later(dear, [...dear.nodes, aNode('new', { pods: [aRunningPod('y', 1)] })]);
    expect(command).toMatchObject({ decision: 'replace', savingsPerHour: expect.closeTo(1.2) });
    expect(isStillValid(command, aContext(roomy))).toMatchObject({
      valid: true,
      command: { method: command.method, decision: 'delete', replacements: [], savingsPerHour: expect.closeTo(1.6) },
    });
  });

  test('one where several were planned: it is held to types that cost less than what goes', () => {
    const two = [aRunningPod('web-1', 4), aRunningPod('web-2', 4)];
    const before = aCluster([aNode('a', { cpus: 16, pods: two })], { nodePools: [aPool({ instanceTypes: [aType(4), aType(16)] })] });
    const after = later(before, [...before.nodes, aNode('new', { pods: [] })]);
    const command = commandFor(before);
    expect(command.replacements).toHaveLength(2);
    const validity = isStillValid(command, aContext(after));
    expect(validity).toMatchObject({ valid: true, command: { decision: 'replace' } });
    const planned = validity.valid ? validity.command.replacements : [];
    expect(planned.map(({ instanceTypes }) => instanceTypes.map(({ name }) => name))).toEqual([['cpu-4']]);
  });
});

describe('of several empty nodes', () => {
  const leftOf = (after: ClusterSnapshot): readonly string[] | undefined => {
    const validity = isStillValid(commandFor(empty), aContext(after));
    return validity.valid ? validity.command.candidates.map(({ node }) => node.name) : undefined;
  };

  test('one that a pod came to does not keep the others', () => {
    expect(leftOf(later(empty, [aNode('a', { pods: [web] }), aNode('b')]))).toEqual(['b']);
  });

  test('as many go as the budget still allows', () => {
    expect(leftOf(later(empty, empty.nodes, { nodePools: [aPool({ disruption: { budgets: [{ nodes: '1' }] } })] }))).toEqual(['a']);
  });
});
