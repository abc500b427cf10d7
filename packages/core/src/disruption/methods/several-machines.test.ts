import { describe, expect, test } from '@jest/globals';
import type { InstanceType } from '../../catalog/index.ts';
import type { NodePoolView } from '../../cluster/index.ts';
import { isStillValid } from '../command-validation.ts';
import { proposeCommand } from '../command-proposal.ts';
import { aCluster, aNode, aRunningPod, aPool, aType } from '../testing/a-cluster.ts';
import { aContext } from '../testing/a-context.ts';

/** Machines of 4 cpus are cheap, everything larger is dear. */
const types: readonly InstanceType[] = [aType(4, 0.1), aType(8, 2), aType(16, 4)];
const nodePools: readonly NodePoolView[] = [aPool({ instanceTypes: types })];
const priceOf = ({ cheapest }: { readonly cheapest: { readonly offering: { readonly pricePerHour: number } } }) =>
  cheapest.offering.pricePerHour;

describe('one node', () => {
  const pods = ['p', 'q', 'r'].map((name) => aRunningPod(name, 3));
  const dear = aCluster([aNode('a', { cpus: 16, pods })], { nodePools });

  test('gives way to several smaller ones that are cheaper together', () => {
    const { command } = proposeCommand(aContext(dear));
    expect(command).toMatchObject({
      method: 'single-node',
      decision: 'replace',
      packing: 'cheapest',
      candidates: [{ node: { name: 'a' } }],
    });
    expect(command?.replacements.map(priceOf)).toEqual([0.1, 0.1, 0.1]);
    expect(command?.savingsPerHour).toBeCloseTo(3.7);
  });

  test('and the machines that may come in its place cost less than it together, whichever are launched', () => {
    const dearest = (proposeCommand(aContext(dear)).command?.replacements ?? []).map(({ instanceTypes }) =>
      Math.max(...instanceTypes.map(({ offerings }) => offerings[0]?.pricePerHour ?? 0)),
    );
    expect(dearest.reduce((sum, price) => sum + price, 0)).toBeLessThan(4);
  });

  test('and that holds when it is evaluated again, until its pods need other machines', () => {
    const { command } = proposeCommand(aContext(dear));
    if (command === undefined) throw new Error('There is a command');
    expect(isStillValid(command, aContext(dear)).valid).toBe(true);
    const grown = aCluster([aNode('a', { cpus: 16, pods: [...pods, aRunningPod('s', 3)] })], { nodePools });
    expect(isStillValid(command, aContext(grown))).toEqual({ valid: false, why: 'scheduling' });
  });

  test('does not when that saves little for the pods that would move', () => {
    const close = [aPool({ instanceTypes: [aType(4, 0.1), aType(8, 0.38), aType(16, 0.4)] })];
    const snapshot = aCluster([aNode('a', { cpus: 16, pods })], { nodePools: close });
    expect(proposeCommand(aContext(snapshot)).blocked.get('a')).toMatchObject({ kind: 'not-worth-it', nodePoolName: 'default' });
  });
});

describe('several nodes', () => {
  test('give way to several that are cheaper together, where no single machine is available', () => {
    const nodes = ['a', 'b'].map((name) =>
      aNode(name, { cpus: 16, pods: [aRunningPod(`big-${name}`, 3), aRunningPod(`small-${name}`, 1)] }),
    );
    const withoutMiddle = [aPool({ instanceTypes: types.filter(({ name }) => name !== 'cpu-8') })];
    const { command } = proposeCommand(aContext(aCluster(nodes, { nodePools: withoutMiddle })));
    expect(command).toMatchObject({ method: 'multi-node', packing: 'cheapest', savingsPerHour: 7.8 });
    expect(command?.replacements.map(priceOf)).toEqual([0.1, 0.1]);
  });
});

describe('a license for each node', () => {
  const sold = [aPool({ instanceTypes: [aType(4, 0.1), aType(16, 0.22)] })];
  const two = ['a', 'b'].map((name) => aNode(name, { cpus: 4, pods: [aRunningPod(`web-${name}`, 3)] }));
  const propose = (nodePricePerHour: number) => {
    const context = aContext(aCluster(two, { nodePools: sold }));
    return proposeCommand({ ...context, policy: { ...context.policy, nodePricePerHour } });
  };

  test('makes one dearer machine cheaper than two nodes, and counts in what that saves', () => {
    expect(propose(0).command).toBeUndefined();
    const { command } = propose(0.05);
    expect(command).toMatchObject({
      method: 'multi-node',
      decision: 'replace',
      candidates: [{ node: { name: 'a' } }, { node: { name: 'b' } }],
    });
    expect(command?.replacements.map(priceOf)).toEqual([0.22]);
    expect(command?.savingsPerHour).toBeCloseTo(2 * 0.15 - 0.27);
  });

  test('keeps one node from giving way to several that cost less without it', () => {
    const dear = aCluster([aNode('a', { cpus: 16, pods: ['p', 'q', 'r'].map((name) => aRunningPod(name, 3)) })], {
      nodePools: [aPool({ instanceTypes: [aType(4, 0.1), aType(16, 1)] })],
    });
    const context = aContext(dear);
    expect(proposeCommand(context).command?.replacements).toHaveLength(3);
    expect(proposeCommand({ ...context, policy: { ...context.policy, nodePricePerHour: 0.4 } }).command).toBeUndefined();
  });
});

describe('a node that waits for its own pods to settle', () => {
  const waiting = [aPool({ disruption: { consolidateAfter: '5m' } })];

  test('takes no pods of nodes that are consolidated', () => {
    const nodes = [aNode('a', { pods: [aRunningPod('web', 1)] }), aNode('b', { pods: [aRunningPod('db', 3)], isConsolidatable: false })];
    const { command, blocked } = proposeCommand(aContext(aCluster(nodes, { nodePools: waiting })));
    expect(command).toMatchObject({ decision: 'replace', candidates: [{ node: { name: 'a' } }] });
    expect(blocked.get('b')).toEqual({ kind: 'consolidate-after', consolidateAfter: '5m' });
  });

  test('is said where nothing else would do', () => {
    const only = [aPool({ disruption: { consolidateAfter: '5m' }, instanceTypes: [aType(4)] })];
    const limited = only.map((view) => ({
      ...view,
      nodePool: { ...view.nodePool, spec: { ...view.nodePool.spec, limits: { nodes: '1' } } },
      usage: { nodes: 3 },
    }));
    const nodes = [aNode('a', { pods: [aRunningPod('web', 1)] }), aNode('b', { pods: [aRunningPod('db', 3)], isConsolidatable: false })];
    const { blocked } = proposeCommand(aContext(aCluster(nodes, { nodePools: limited })));
    expect(blocked.get('a')).toEqual({ kind: 'settling-target', nodeName: 'b' });
  });

  test('takes those of nodes that drifted', () => {
    const nodes = [
      aNode('a', { pods: [aRunningPod('web', 1)], driftedAt: '2026-11-20T09:00:00Z' }),
      aNode('b', { pods: [aRunningPod('db', 3)], isConsolidatable: false }),
    ];
    expect(proposeCommand(aContext(aCluster(nodes, { nodePools: waiting }))).command).toMatchObject({
      method: 'drift',
      decision: 'delete',
    });
  });
});
