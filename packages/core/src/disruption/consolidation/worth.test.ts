import { describe, expect, test } from '@jest/globals';
import { proposeCommand } from '../propose-command.ts';
import { aCluster, aNode, aPod, aPool, aType } from '../testing/a-cluster.ts';
import { aContext } from '../testing/a-context.ts';

const crowd = (name: string, count: number) => Array.from({ length: count }, (_, i) => aPod(`${name}-${i}`, 0.1));
const balanced = (name = 'default') => aPool({ name, disruption: { consolidationPolicy: 'Balanced' } });

describe('under the policy Balanced', () => {
  test('a move goes ahead whose share of the price is at least half its share of the disruption', () => {
    const nodes = [aNode('a', { pods: crowd('a', 5) }), aNode('b', { pods: crowd('b', 30) })];
    const { command, weighed } = proposeCommand(aContext(aCluster(nodes, { nodePools: [balanced()] })));
    expect(weighed.at(-1)).toMatchObject({ policy: 'Balanced', isWorthIt: true });
    expect(command).toMatchObject({ decision: 'delete', candidates: [{ node: { name: 'a' } }] });
  });

  test('one that moves many pods for little does not, and is ruled out before any pod is placed', () => {
    const nodes = [aNode('big', { cpus: 16, pods: [aPod('db', 8)] }), aNode('small', { cpus: 1, pods: crowd('small', 9) })];
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
    const nodes = [aNode('big', { cpus: 16, pods: [aPod('db', 8)] }), aNode('small', { cpus: 1, pods: crowd('small', 9) })];
    const nodePools = [aPool({ instanceTypes: [aType(1), aType(16)] })];
    const { command, weighed } = proposeCommand(aContext(aCluster(nodes, { nodePools })));
    expect(command?.candidates.map(({ node }) => node.name)).toEqual(['small']);
    expect(weighed).toEqual([{ nodePoolName: 'default', policy: 'WhenEmptyOrUnderutilized', isWorthIt: true }]);
  });

  test('a move of several nodes counts once, however many numbers of nodes were tried', () => {
    const nodes = ['a', 'b', 'c', 'd'].map((name) => aNode(name, { pods: [aPod(name, 0.5)] }));
    const { command, weighed } = proposeCommand(aContext(aCluster(nodes, { nodePools: [aPool({ instanceTypes: [aType(4)] })] })));
    expect(command).toMatchObject({ method: 'multi-node' });
    expect(weighed).toEqual([{ nodePoolName: 'default', policy: 'WhenEmptyOrUnderutilized', isWorthIt: true }]);
  });

  test('each balanced pool of a move across pools must find it worth it', () => {
    const nodes = [
      aNode('keeper', { cpus: 16, pods: [aPod('db', 8)], isConsolidatable: false }),
      aNode('a', { nodePoolName: 'plain', pods: crowd('a', 2) }),
      aNode('crowded', { cpus: 1, pods: crowd('crowded', 9) }),
      aNode('rest', { cpus: 16, pods: [aPod('cache', 15)], isConsolidatable: false }),
    ];
    const { command, blocked } = proposeCommand(aContext(aCluster(nodes, { nodePools: [balanced(), aPool({ name: 'plain' })] })));
    expect(command?.candidates.map(({ node }) => node.name)).toEqual(['a']);
    expect(blocked.get('crowded')).toEqual({ kind: 'after-command', method: 'single-node' });
  });
});
