import { describe, expect, test } from '@jest/globals';
import { proposeCommand } from '../command-proposal.ts';
import type { NodePoolView, NodeView } from '../../cluster/index.ts';
import { labels } from '../../apis/index.ts';
import { aCluster, aNode, aRunningPod, aPool, aType } from '../testing/a-cluster.ts';
import type { NodeOptions } from '../testing/a-cluster.ts';
import { aContext } from '../testing/a-context.ts';

const crowd = (name: string, count: number) => Array.from({ length: count }, (_, i) => aRunningPod(`${name}-${i}`, 0.1));
const balanced = (name = 'default') => aPool({ name, disruption: { consolidationPolicy: 'Balanced' } });

describe('under the policy Balanced', () => {
  test('a move goes ahead whose share of the price is at least half its share of the disruption', () => {
    const nodes = [aNode('a', { pods: crowd('a', 5) }), aNode('b', { pods: crowd('b', 30) })];
    const { command, weighed } = proposeCommand(aContext(aCluster(nodes, { nodePools: [balanced()] })));
    expect(weighed.at(-1)).toMatchObject({ policy: 'Balanced', isWorthIt: true });
    expect(command).toMatchObject({ decision: 'delete', candidates: [{ node: { name: 'a' } }] });
  });

  test('one that moves many pods for little does not, and is ruled out before any pod is placed', () => {
    const nodes = [aNode('big', { cpus: 16, pods: [aRunningPod('db', 8)] }), aNode('small', { cpus: 1, pods: crowd('small', 9) })];
    const nodePools = [aPool({ disruption: { consolidationPolicy: 'Balanced' }, instanceTypes: [aType(1), aType(16)] })];
    const { command, blocked, weighed } = proposeCommand(aContext(aCluster(nodes, { nodePools })));
    expect(command).toBeUndefined();
    // As in the original, a move that no price could make worth it is not counted.
    expect(weighed).toEqual([]);
    const small = blocked.get('small');
    expect(small).toMatchObject({ kind: 'not-worth-it', nodePoolName: 'default', savingsPerHour: 0.1 });
    // A seventeenth of the price for ten twelfths of the disruption.
    expect(small?.kind === 'not-worth-it' && small.score).toBeCloseTo(0.1 / 1.7 / (10 / 12));
  });

  test('the same move goes ahead under the default policy', () => {
    const nodes = [aNode('big', { cpus: 16, pods: [aRunningPod('db', 8)] }), aNode('small', { cpus: 1, pods: crowd('small', 9) })];
    const nodePools = [aPool({ instanceTypes: [aType(1), aType(16)] })];
    const { command, weighed } = proposeCommand(aContext(aCluster(nodes, { nodePools })));
    expect(command?.candidates.map(({ node }) => node.name)).toEqual(['small']);
    expect(weighed).toEqual([{ nodePoolName: 'default', policy: 'WhenEmptyOrUnderutilized', isWorthIt: true }]);
  });

  test('a move of several nodes counts once, however many numbers of nodes were tried', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((name) => aNode(name, { pods: [aRunningPod(name, 0.5)] }));
    const { command, weighed } = proposeCommand(aContext(aCluster(nodes, { nodePools: [aPool({ instanceTypes: [aType(4)] })] })));
    expect(command).toMatchObject({ method: 'multi-node' });
    expect(weighed).toEqual([{ nodePoolName: 'default', policy: 'WhenEmptyOrUnderutilized', isWorthIt: true }]);
  });

  test('each balanced pool of a move across pools must find it worth it', () => {
    const nodes = [
      aNode('keeper', { cpus: 16, pods: [aRunningPod('db', 8)], isConsolidatable: false }),
      aNode('a', { nodePoolName: 'plain', pods: crowd('a', 2) }),
      aNode('crowded', { cpus: 1, pods: crowd('crowded', 9) }),
      aNode('rest', { cpus: 16, pods: [aRunningPod('cache', 15)], isConsolidatable: false }),
    ];
    const { command, blocked } = proposeCommand(aContext(aCluster(nodes, { nodePools: [balanced(), aPool({ name: 'plain' })] })));
    expect(command?.candidates.map(({ node }) => node.name)).toEqual(['a']);
    expect(blocked.get('crowded')).toEqual({ kind: 'after-command', method: 'single-node' });
  });
});

/*
 * What the original's tests of balanced consolidation say of scores (`disruption/balanced_test.go`, `balanced_scoring_test.go`,
 * `balanced_adversarial_test.go`, `balanced_integration_test.go`).
 */
describe('the score of a move under the policy Balanced', () => {
  /** The pool and the scores of the command that is proposed. */
  const proposed = (nodes: readonly NodeView[], nodePools: readonly NodePoolView[]) => {
    const { command, weighed, blocked } = proposeCommand(aContext(aCluster(nodes, { nodePools })));
    return { command, blocked, score: weighed.findLast(({ isWorthIt }) => isWorthIt)?.score };
  };
  const takenFrom = ({ command }: ReturnType<typeof proposed>) => command?.candidates.map(({ node }) => node.name);
  const held = (name: string, options: NodeOptions = {}) => aNode(name, { cpus: 16, isConsolidatable: false, ...options });

  test.each([2, 8])('is the same in a pool of %d equal nodes for one of them', (count) => {
    const nodes = Array.from({ length: count }, (_, index) => aNode(`n${index}`, { pods: [aRunningPod(`p${index}`, 3)] }));
    const [first, ...others] = nodes;
    const pods = [aRunningPod('p0', 1)];
    const { score } = proposed([{ ...first, pods } as NodeView, ...others], [balanced()]);
    expect(score).toBeCloseTo(1);
  });

  test('is one for the only node of a pool, whose pods fit elsewhere', () => {
    const pool = aPool({ name: 'other' });
    const { score } = proposed([aNode('only', { pods: [aRunningPod('p')] }), held('room', { nodePoolName: 'other' })], [balanced(), pool]);
    expect(score).toBeCloseTo(1);
  });

  test('counts the pods of a node without a price, and no price', () => {
    const nodes = [
      aNode('a', { pods: crowd('a', 1) }),
      held('unknown', { labels: { ...aNode('unknown').labels, [labels.instanceType]: 'gone' }, pods: crowd('u', 3) }),
    ];
    expect(proposed(nodes, [balanced()]).score).toBeCloseTo(1 / (2 / 6));
  });

  test('counts what a node costs though its offering is out of stock', () => {
    const soldOut = { ...aType(4), offerings: aType(4).offerings.map((offering) => ({ ...offering, isAvailable: false })) };
    const nodes = [aNode('a', { pods: crowd('a', 1) }), held('b', { cpus: 8, pods: crowd('b', 1) })];
    const { score } = proposed(nodes, [aPool({ disruption: { consolidationPolicy: 'Balanced' }, instanceTypes: [soldOut, aType(8)] })]);
    expect(score).toBeCloseTo(0.4 / 1.2 / (2 / 4));
  });

  test('of a replacement knows no spot price where the pool takes on-demand machines only', () => {
    const nodes = [aNode('a', { cpus: 8, pods: [aRunningPod('a', 3)] }), held('b', { pods: [aRunningPod('b', 16)] })];
    const { command, blocked } = proposed(nodes, [aPool({ disruption: { consolidationPolicy: 'Balanced' } })]);
    expect([command, blocked.get('a')]).toMatchObject([undefined, { kind: 'not-worth-it', savingsPerHour: 0.4 }]);
  });

  test('of nodes that cost nothing is zero: they stay', () => {
    const nodes = [aNode('a', { pods: crowd('a', 1) }), held('b', { cpus: 4, pods: crowd('b', 1) })];
    const free = aPool({ disruption: { consolidationPolicy: 'Balanced' }, instanceTypes: [aType(4, 0)] });
    expect(takenFrom(proposed(nodes, [free]))).toBeUndefined();
  });

  test('of a type whose price is no number ends no pass: other nodes go', () => {
    const nodes = [aNode('a', { pods: crowd('a', 1) }), held('odd', { cpus: 2, pods: crowd('odd', 1) }), held('b', { cpus: 8 })];
    const pool = aPool({ disruption: { consolidationPolicy: 'Balanced' }, instanceTypes: [aType(4), aType(8), aType(2, Number.NaN)] });
    expect(takenFrom(proposed(nodes, [pool]))).toEqual(['a']);
  });

  test('puts the node first that saves most for its pods, and takes none where the budget is zero', () => {
    const nodes = [aNode('crowded', { cpus: 1, pods: crowd('c', 8) }), aNode('dear', { cpus: 8, pods: crowd('d', 1) }), held('room')];
    expect(takenFrom(proposed(nodes, [balanced()]))?.[0]).toBe('dear');
    const closed = aPool({ disruption: { consolidationPolicy: 'Balanced', budgets: [{ nodes: '0' }] } });
    expect(takenFrom(proposed(nodes, [closed]))).toBeUndefined();
  });

  test('does not hold empty nodes back: they go first, as far as the budget goes', () => {
    const nodes = [aNode('light', { pods: crowd('l', 1) }), aNode('empty'), held('room')];
    const pool = aPool({ disruption: { consolidationPolicy: 'Balanced', budgets: [{ nodes: '1' }] } });
    expect(takenFrom(proposed(nodes, [pool]))).toEqual(['empty']);
  });
});
