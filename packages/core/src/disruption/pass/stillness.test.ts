import { describe, expect, test } from '@jest/globals';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { simulate } from '../../scheduling/index.ts';
import type { Proposal } from '../command.ts';
import type { DisruptionContext } from '../disruption-context.ts';
import { proposeCommand } from '../command-proposal.ts';
import { aCluster, aNode, aRunningPod, aPool, NOW } from '../testing/a-cluster.ts';
import { aContext } from '../testing/a-context.ts';

const MINUTE = 60_000;
const names = ['a', 'b', 'c', 'd', 'e'];
const fullNode = (name: string) => aNode(name, { pods: [aRunningPod(`pod-${name}`, 3)] });
const full = aCluster(names.map(fullNode));

/** A pass, and how many plans it asked for. */
const passOver = (snapshot: ClusterSnapshot, rest: Partial<DisruptionContext> = {}): Proposal & { readonly asked: number } => {
  let asked = 0;
  const counting: DisruptionContext['simulate'] = (...question) => {
    asked += 1;
    return simulate(question[0], question[1], question[2]);
  };
  const found = proposeCommand(aContext(snapshot, { simulate: counting, ...rest }));
  return { ...found, asked };
};

/** Passes ten seconds apart until one asks nothing, five at most. */
const passesUntilStill = (snapshot: ClusterSnapshot): readonly (Proposal & { readonly asked: number })[] => {
  const passes = [passOver(snapshot)];
  for (let turn = 1; turn < 5 && passes.at(-1)?.asked !== 0; turn++) {
    passes.push(passOver(snapshot, { turn, nowMs: NOW + turn * 10_000, still: passes.at(-1)?.still }));
  }
  return passes;
};

describe('a cluster in which nothing changes', () => {
  const passes = passesUntilStill(full);
  const last = passes.at(-1);

  test('is searched until each set of nodes was tried together, and then no more', () => {
    expect(passes.map(({ asked }) => asked > 0)).toEqual([true, true, false]);
    expect(last?.command).toBeUndefined();
  });

  test('keeps the reasons why its nodes stay', () => {
    expect(last?.blocked).toEqual(passes[0]?.blocked);
    expect(last?.eligible).toEqual(passes[0]?.eligible);
  });

  test('is the same cluster when its snapshot is made of equal parts', () => {
    const again = aCluster(
      full.nodes.map((node) => ({ ...node, labels: { ...node.labels } })),
      { nodePools: full.nodePools.map((pool) => ({ ...pool })) },
    );
    expect(passOver(again, { still: last?.still }).asked).toBe(0);
  });

  test('is searched again after five minutes, from the first set of nodes', () => {
    const later = passOver(full, { still: last?.still, nowMs: NOW + 6 * MINUTE });
    expect(later.asked).toBeGreaterThan(0);
    expect(later.still?.passes).toBe(1);
  });

  const [first = fullNode('a'), ...others] = full.nodes;
  test.each<readonly [string, ClusterSnapshot]>([
    ['a pod', aCluster([{ ...first, pods: [aRunningPod('pod-a', 2)] }, ...others])],
    ['a label', aCluster([{ ...first, labels: { ...first.labels, team: 'x' } }, ...others])],
    ['a node', aCluster(others)],
    ['a node that is not ready', aCluster([{ ...first, isReady: false }, ...others])],
    ['a pod that waits', { ...full, pendingPods: [aRunningPod('waiting', 1)] }],
    ['what a budget allows', aCluster([...full.nodes], { nodePools: [aPool({ disruption: { budgets: [{ nodes: '2' }] } })] })],
    ['a price', aCluster([...full.nodes], { nodePools: [aPool({ instanceTypes: (full.nodePools[0]?.instanceTypes ?? []).slice(1) })] })],
  ])('is searched again after a change of %s', (_, changed) => {
    expect(passOver(changed, { still: last?.still }).asked).toBeGreaterThan(0);
  });
});

test('a search that time cut short is no reason to rest', () => {
  expect(passOver(full, { shouldStop: () => true }).still).toBeUndefined();
  expect(passOver(full, { evaluated: new Set(['a']) }).still).toBeUndefined();
});

test('empty nodes go although nothing else is searched', () => {
  const last = passesUntilStill(full).at(-1);
  const emptied = aCluster([...full.nodes.slice(1), aNode('a')]);
  expect(passOver(emptied, { still: last?.still }).command).toMatchObject({ method: 'emptiness', candidates: [{ node: { name: 'a' } }] });
});
