import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { NodePool } from '../../apis/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { isStillValid } from '../command-validation.ts';
import { proposeCommand } from '../command-proposal.ts';
import { NOW, aCluster, aNode, aRunningPod, aPool } from '../testing/a-cluster.ts';
import { aContext } from '../testing/a-context.ts';

const DRIFTED = '2026-11-20T08:00:00Z';

const contextOf = (nodes: readonly NodeView[], minimum: NodePool['spec']['minimum'], disruption = {}) =>
  aContext(aCluster(nodes, { nodePools: [aPool({ minimum, disruption })] }));
const proposeAtMinimum = (...given: Parameters<typeof contextOf>) => proposeCommand(contextOf(...given));
const cpusOf = (type: { readonly capacity: Readonly<Record<string, number>> } | undefined) => (type?.capacity['cpu'] ?? 0) / 1000;
const equalNodes = (count: number, cpus = 1) => Array.from({ length: count }, (_, index) => aNode(`node-${index}`, { cpus }));

const expiringIn = (node: NodeView, expireAfter: string, ageMs: number): NodeView => {
  if (node.claim === undefined) throw new Error('the node is Karpenter’s');
  const { metadata, spec } = node.claim;
  const creationTimestamp = new Date(NOW - ageMs).toISOString();
  return { ...node, claim: { ...node.claim, metadata: { ...metadata, creationTimestamp }, spec: { ...spec, expireAfter } } };
};

describe('a pool with a minimum', () => {
  test('of two nodes keeps two of four empty ones, and they say why', () => {
    const { command, blocked } = proposeAtMinimum(equalNodes(4), { nodes: '2' });
    expect(command).toMatchObject({ method: 'emptiness', decision: 'delete' });
    expect(command?.candidates).toHaveLength(2);
    expect([...blocked.values()]).toEqual(
      Array.from({ length: 2 }, () => ({ kind: 'minimum', nodePoolName: 'default', resource: 'nodes', minimum: '2' })),
    );
  });

  test('of cpu keeps empty nodes that have it together', () => {
    expect(proposeAtMinimum(equalNodes(4, 4), { cpu: '9' }).command?.candidates).toHaveLength(1);
  });

  test('keeps what is up, because a node that is coming up may fail', () => {
    const nodes = [aNode('up', { cpus: 1 }), aNode('coming', { cpus: 1, isInitialized: false })];
    expect(proposeAtMinimum(nodes, { nodes: '1' }).command).toBeUndefined();
  });

  test('does not count a node that expires within minutes: that one goes', () => {
    const nodes = [expiringIn(aNode('a', { cpus: 1 }), '1h', 57 * 60_000), expiringIn(aNode('b', { cpus: 1 }), '1h', 0)];
    expect(proposeAtMinimum(nodes, { nodes: '1' }).command?.candidates.map(({ node }) => node.name)).toEqual(['a']);
  });

  test('counts a node that lives for minutes only', () => {
    const nodes = [expiringIn(aNode('a', { cpus: 1 }), '4m', 60_000), expiringIn(aNode('b', { cpus: 1 }), '4m', 60_000)];
    expect(proposeAtMinimum(nodes, { nodes: '1' }).command?.candidates).toHaveLength(1);
  });

  test('replaces a drifted empty node by the cheapest one', () => {
    const { command } = proposeAtMinimum([aNode('a', { driftedAt: DRIFTED })], { nodes: '1' }, { consolidateAfter: 'Never' });
    expect(command).toMatchObject({ method: 'drift', decision: 'replace', candidates: [{ node: { name: 'a' } }] });
    expect(command?.replacements.map(({ cheapest }) => cpusOf(cheapest.instanceType))).toEqual([1]);
  });

  test('replaces a drifted node by what its pods need and what the minimum of cpu lacks then', () => {
    const { command } = proposeAtMinimum(
      [aNode('a', { cpus: 16, driftedAt: DRIFTED, pods: [aRunningPod('web', 2)] })],
      { cpu: '16' },
      { consolidateAfter: 'Never' },
    );
    const sizes = command?.replacements.map(({ instanceTypes }) => Math.min(...instanceTypes.map(cpusOf))) ?? [];
    expect(sizes.reduce((sum, cpus) => sum + cpus, 0)).toBeGreaterThanOrEqual(16);
    expect(sizes.length).toBeGreaterThan(1);
  });

  test('takes a drifted node without a replacement while others suffice', () => {
    const nodes = [aNode('a', { driftedAt: DRIFTED }), aNode('b')];
    expect(proposeAtMinimum(nodes, { nodes: '1' }, { consolidateAfter: 'Never' }).command).toMatchObject({ decision: 'delete' });
  });

  test('keeps a drifted node, where nothing could replace it', () => {
    const nodes = [aNode('a', { driftedAt: DRIFTED, pods: [aRunningPod('web', 1)] }), aNode('b', { pods: [aRunningPod('db', 1)] })];
    const nodePools = [{ ...aPool({ minimum: { nodes: '2' } }), mayLaunch: false as const }];
    const { command, blocked } = proposeCommand(aContext(aCluster(nodes, { nodePools })));
    expect(command).toBeUndefined();
    expect(blocked.get('a')).toMatchObject({ kind: 'minimum', resource: 'nodes' });
  });

  test('keeps a node whose pods fit on another, where the next one costs as much', () => {
    const nodes = [aNode('a', { cpus: 1, pods: [aRunningPod('web', 0.2)] }), aNode('b', { cpus: 1, pods: [aRunningPod('db', 0.2)] })];
    const { command, blocked } = proposeAtMinimum(nodes, { nodes: '2' });
    expect(command).toBeUndefined();
    expect(blocked.get('a')).toEqual({ kind: 'minimum', nodePoolName: 'default', resource: 'nodes', minimum: '2' });
  });

  test('replaces an empty node that is too large for it by a cheaper one', () => {
    const { command } = proposeAtMinimum([aNode('a', { cpus: 16 })], { nodes: '1' });
    expect(command).toMatchObject({ method: 'single-node', decision: 'replace' });
    expect(command?.replacements.map(({ cheapest }) => cpusOf(cheapest.instanceType))).toEqual([1]);
  });

  test('lets a node go where the pool lacks more than that anyway', () => {
    expect(proposeAtMinimum([aNode('a', { cpus: 1 })], { 'nvidia.com/gpu': '1' }).command).toMatchObject({ method: 'emptiness' });
  });

  test('does not keep nodes once it is being deleted', () => {
    const pool = aPool({ minimum: { nodes: '1' } });
    const going = { ...pool, nodePool: { ...pool.nodePool, metadata: { name: 'default', deletionTimestamp: DRIFTED } } };
    expect(proposeCommand(aContext(aCluster(equalNodes(1), { nodePools: [going] }))).command).toMatchObject({ method: 'emptiness' });
  });

  test('that was raised after a command was found keeps the nodes of the command', () => {
    const { command } = proposeAtMinimum(equalNodes(2), { nodes: '0' });
    if (command === undefined) throw new Error('there is a command');
    expect(isStillValid(command, contextOf(equalNodes(2), { nodes: '1' }))).toMatchObject({ valid: true, command: { candidates: [{}] } });
    expect(isStillValid(command, contextOf(equalNodes(2), { nodes: '2' }))).toEqual({ valid: false, why: 'churn' });
  });
});

const anyNode = fc.record({
  cpus: fc.constantFrom(1, 2, 4, 8),
  load: fc.constantFrom(0, 0, 0.3, 0.9),
  isDrifted: fc.boolean(),
  isInitialized: fc.constantFrom(true, true, true, false),
});

test('no command leaves a pool below its minimum, or further below than it was', () => {
  const run = fc.record({ nodes: fc.array(anyNode, { minLength: 1, maxLength: 6 }), count: fc.nat(6), cpus: fc.nat(30) });
  fc.assert(
    fc.property(run, ({ nodes: drawn, count, cpus: minimumCpus }) => {
      const nodes = drawn.map(({ cpus, load, isDrifted, isInitialized }, index) =>
        aNode(`node-${index}`, {
          ...{ cpus, isInitialized, pods: load === 0 ? [] : [aRunningPod(`pod-${index}`, cpus * load)] },
          ...(isDrifted && { driftedAt: DRIFTED }),
        }),
      );
      const { command } = proposeAtMinimum(nodes, { nodes: String(count), cpu: String(minimumCpus) });
      if (command === undefined) return;
      const before = nodes.filter(({ isInitialized }) => isInitialized);
      const after = before.filter(({ name }) => command.candidates.every(({ node }) => node.name !== name));
      const coming = command.replacements.map(({ instanceTypes }) => Math.min(...instanceTypes.map(cpusOf)));
      expect(after.length + coming.length).toBeGreaterThanOrEqual(Math.min(count, before.length));
      const sum = (cpus: readonly number[]) => cpus.reduce((total, each) => total + each, 0);
      expect(sum([...after.map(cpusOf), ...coming])).toBeGreaterThanOrEqual(Math.min(minimumCpus, sum(before.map(cpusOf))));
    }),
  );
});
