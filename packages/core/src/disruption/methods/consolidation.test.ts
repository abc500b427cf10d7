import { describe, expect, test } from '@jest/globals';
import { simulate } from '../../scheduling/index.ts';
import type { DisruptionContext } from '../disruption-context.ts';
import type { Proposal } from '../command.ts';
import { proposeCommand } from '../command-proposal.ts';
import { NOW, aCluster, aNode, aRunningPod, aPool, aType } from '../testing/a-cluster.ts';
import { aContext } from '../testing/a-context.ts';

const spot = { capacityType: 'spot' };
const withSpot = { nodePools: [aPool({ capacityTypes: ['spot', 'on-demand'] })] };
const typeNamesOf = (replacement: { readonly instanceTypes: readonly { readonly name: string }[] } | undefined) =>
  replacement?.instanceTypes.map(({ name }) => name);

describe('a single node', () => {
  test('goes when its pods fit on the others', () => {
    const nodes = [aNode('a', { pods: [aRunningPod('web', 1)] }), aNode('b', { pods: [aRunningPod('db', 3)] })];
    const { command } = proposeCommand(aContext(aCluster(nodes)));
    expect(command).toMatchObject({
      method: 'single-node',
      decision: 'delete',
      candidates: [{ node: { name: 'a' } }],
      savingsPerHour: 0.4,
    });
  });

  test('is replaced by a cheaper one, of types that are certainly cheaper', () => {
    const { command } = proposeCommand(aContext(aCluster([aNode('a', { cpus: 16, pods: [aRunningPod('web', 3)] })])));
    expect(command).toMatchObject({
      method: 'single-node',
      decision: 'replace',
      replacements: [{ cheapest: { instanceType: { name: 'cpu-4' } } }],
    });
    expect(typeNamesOf(command?.replacements[0])).toEqual(['cpu-4', 'cpu-8']);
    expect(command?.savingsPerHour).toBeCloseTo(1.2);
    expect(command?.replacements[0]?.claim.spec.requirements).toContainEqual({
      key: 'node.kubernetes.io/instance-type',
      operator: 'In',
      values: ['cpu-4', 'cpu-8'],
    });
  });

  test('when the API server or admission refuses its replacement › waits, and goes then; after other failures it does not wait', () => {
    const cluster = aCluster([aNode('a', { cpus: 16, pods: [aRunningPod('web', 3)] })]);
    const proposed = (why: string, untilMs: number) =>
      proposeCommand(aContext(cluster, { nowMs: NOW, failedReplacements: new Map([['a', { why, times: 1, untilMs }]]) }));
    expect(proposed('refused', NOW + 1).command).toBeUndefined();
    expect(proposed('denied', NOW + 1).command).toBeUndefined();
    expect(proposed('refused', NOW + 1).blocked.get('a')).toMatchObject({ kind: 'replacement-failed', why: 'refused' });
    expect(proposed('refused', NOW).command?.candidates[0]?.node.name).toBe('a');
    expect(proposed('timeout', NOW + 1).command?.candidates[0]?.node.name).toBe('a');
  });

  test('is not replaced by its like', () => {
    const { command, blocked } = proposeCommand(aContext(aCluster([aNode('a', { pods: [aRunningPod('web', 3)] })])));
    expect(command).toBeUndefined();
    expect(blocked.get('a')).toEqual({ kind: 'no-cheaper-replacement', pricePerHour: 0.4, cheapestReplacement: 0.4, replacements: 1 });
  });

  describe('whose many pods could run on a slightly cheaper one', () => {
    const pods = Array.from({ length: 20 }, (_, index) => aRunningPod(`web-${index}`, 0.1));
    const propose = (price: number, movePricePerHour?: number): Proposal => {
      const nodePools = [aPool({ instanceTypes: [aType(3, price), aType(4, 0.4)] })];
      const { policy, ...context } = aContext(aCluster([aNode('a', { pods })], { nodePools }));
      return proposeCommand({ ...context, policy: movePricePerHour === undefined ? policy : { ...policy, movePricePerHour } });
    };

    test('stays where less than a tenth of its price is saved, and less than a tenth of a cent for each pod and a cent for the launch', () => {
      const { command, blocked } = propose(0.375);
      expect(command).toBeUndefined();
      expect(blocked.get('a')).toEqual({ kind: 'small-saving', savingsPerHour: expect.closeTo(0.025), moves: 20 });
    });

    test('is replaced where that is saved, or where the policy asks for less', () => {
      const savings = [propose(0.365), propose(0.36, 0.01), propose(0.385, 0)].map(({ command }) => command?.savingsPerHour);
      expect(savings).toEqual([0.035, 0.04, 0.015].map((each) => expect.closeTo(each)));
    });
  });

  test('stays when it would take several machines that cost as much', () => {
    const soldOut = { ...aType(8), offerings: aType(8).offerings.map((offering) => ({ ...offering, isAvailable: false })) };
    const nodePools = [aPool({ instanceTypes: [aType(2), soldOut] })];
    const pods = ['p', 'q', 'r', 's'].map((name) => aRunningPod(name, 2));
    const { blocked } = proposeCommand(aContext(aCluster([aNode('a', { cpus: 8, pods })], { nodePools })));
    expect(blocked.get('a')).toMatchObject({ kind: 'no-cheaper-replacement', pricePerHour: 0.8, replacements: 4 });
  });

  test('stays when a pod would have nowhere to go', () => {
    const stuck = aRunningPod('stuck', 1, { spec: { nodeSelector: { disk: 'fast' } } });
    const { blocked } = proposeCommand(aContext(aCluster([aNode('a', { pods: [stuck] })])));
    expect(blocked.get('a')).toEqual({ kind: 'unschedulable-pods', pods: ['default/stuck'] });
  });

  test('stays when its pods would land on a node that is still coming up', () => {
    const nodes = [aNode('a', { pods: [aRunningPod('web', 1)] }), aNode('b', { isInitialized: false, isReady: false })];
    expect(proposeCommand(aContext(aCluster(nodes))).blocked.get('a')).toEqual({ kind: 'uninitialized-target', nodeName: 'b' });
  });

  test('is deleted although another pod finds no place anyway', () => {
    const nodes = [aNode('a', { pods: [aRunningPod('web', 1)] }), aNode('b', { pods: [aRunningPod('db', 3)] })];
    const { command } = proposeCommand(aContext(aCluster(nodes, { pendingPods: [aRunningPod('huge', 64)] })));
    expect(command?.candidates[0]?.node.name).toBe('a');
  });

  test('is deleted although a machine is planned for a pending pod', () => {
    const nodes = [aNode('a', { pods: [aRunningPod('web', 1)] }), aNode('b', { pods: [aRunningPod('db', 3)] })];
    const { command } = proposeCommand(aContext(aCluster(nodes, { pendingPods: [aRunningPod('next', 9)] })));
    expect(command).toMatchObject({ decision: 'delete', candidates: [{ node: { name: 'a' } }], replacements: [] });
  });

  test('stays when a pending pod needs the room more: its own machine would cost as much', () => {
    const nodes = [aNode('a', { pods: [aRunningPod('web', 3)] }), aNode('b', { pods: [aRunningPod('db', 1)] })];
    const { command } = proposeCommand(aContext(aCluster(nodes, { pendingPods: [aRunningPod('next', 3)] })));
    expect(command).toBeUndefined();
  });

  test('that the last pass did not reach comes first', () => {
    const nodes = [
      aNode('a', { cpus: 16, pods: [aRunningPod('web', 3)] }),
      aNode('b', { nodePoolName: 'other', cpus: 16, pods: [aRunningPod('db', 9)] }),
    ];
    const context = aContext(aCluster(nodes, { nodePools: [aPool(), aPool({ name: 'other' })] }));
    const firstAfter = (evaluated: readonly string[]) =>
      proposeCommand({ ...context, evaluated: new Set(evaluated) }).command?.candidates[0]?.node.name;
    expect([firstAfter([]), firstAfter(['a'])]).toEqual(['a', 'b']);
  });
});

describe('minValues', () => {
  const SIZE = 'node.kubernetes.io/instance-type';
  const variousPool = (instanceTypes = [1, 2, 4, 8, 16].map((cpus) => aType(cpus))) => {
    const { nodePool, ...view } = aPool({ instanceTypes });
    const { spec: template } = nodePool.spec.template;
    const various = { key: SIZE, operator: 'Exists' as const, minValues: 3 };
    const spec = { ...nodePool.spec, template: { spec: { ...template, requirements: [...template.requirements, various] } } };
    return { ...view, nodePool: { ...nodePool, spec } };
  };

  test.each([
    ['Strict', 'what is cheaper is less various than they ask', variousPool(), 4, 3],
    ['BestEffort', 'what is cheaper is less various than they ask', variousPool(), 4, 3],
    ['BestEffort', 'the cloud has two types only: they ask for two then', variousPool([aType(1), aType(16)]), 16, 2],
  ] as const)('of the policy %s keep a node where %s', (...[minValues, , pool, cpus, wanted]) => {
    const snapshot = aCluster([aNode('a', { cpus, pods: [aRunningPod('web', 0.5)] })], { nodePools: [pool] });
    const context = aContext(snapshot);
    const { command, blocked } = proposeCommand({ ...context, policy: { ...context.policy, minValues } });
    expect(command).toBeUndefined();
    expect(blocked.get('a')).toMatchObject({ kind: 'min-values', shortfalls: [{ key: SIZE, wanted }] });
  });
});

describe('spot nodes', () => {
  test('an on-demand node is replaced by spot, and by spot only', () => {
    const { command } = proposeCommand(aContext(aCluster([aNode('a', { pods: [aRunningPod('web', 3)] })], withSpot)));
    expect(command?.replacements[0]?.cheapest.offering.capacityType).toBe('spot');
    expect(command?.replacements[0]?.claim.spec.requirements).toContainEqual({
      key: 'karpenter.sh/capacity-type',
      operator: 'In',
      values: ['spot'],
    });
  });

  test('a spot node is not replaced by spot unless that is switched on', () => {
    const { blocked } = proposeCommand(aContext(aCluster([aNode('a', { cpus: 16, ...spot, pods: [aRunningPod('web', 3)] })], withSpot)));
    expect(blocked.get('a')).toMatchObject({ kind: 'spot-to-spot-off', cheapestReplacement: 0.12 });
  });

  test('and then only with fifteen cheaper types to choose among, and of no more than those', () => {
    const few = aCluster([aNode('a', { cpus: 16, ...spot, pods: [aRunningPod('web', 3)] })], withSpot);
    expect(proposeCommand(aContext(few, { spotToSpot: true })).blocked.get('a')).toMatchObject({ kind: 'spot-to-spot', cheaperTypes: 2 });
    const instanceTypes = Array.from({ length: 40 }, (_, i) => aType(i + 1));
    const many = aCluster([aNode('a', { cpus: 30, ...spot, pods: [aRunningPod('web', 3)] })], {
      nodePools: [aPool({ capacityTypes: ['spot', 'on-demand'], instanceTypes })],
    });
    const { command } = proposeCommand(aContext(many, { spotToSpot: true }));
    expect(typeNamesOf(command?.replacements[0])).toEqual(Array.from({ length: 15 }, (_, i) => `cpu-${i + 3}`));
  });
});

describe('several nodes', () => {
  test('go together for one machine that is cheaper than all of them', () => {
    const nodes = ['a', 'b', 'c'].map((name) => aNode(name, { cpus: 16, pods: [aRunningPod(`on-${name}`, 5)] }));
    const { command } = proposeCommand(aContext(aCluster(nodes)));
    expect(command).toMatchObject({ method: 'multi-node', candidates: [{ node: { name: 'a' } }, { node: { name: 'b' } }] });
  });

  test('go two at once where one machine for all three would save less', () => {
    const nodes = ['a', 'b', 'c'].map((name) => aNode(name, { cpus: 8, pods: [aRunningPod(`on-${name}`, 5)] }));
    const nodePools = [aPool({ instanceTypes: [aType(8), aType(10, 0.9), aType(15, 1.8)] })];
    const { command } = proposeCommand(aContext(aCluster(nodes, { nodePools })));
    expect(command).toMatchObject({ method: 'multi-node', candidates: [{ node: { name: 'a' } }, { node: { name: 'b' } }] });
    expect(command?.savingsPerHour).toBeCloseTo(0.7);
  });

  test('go without replacement when the rest has room for all', () => {
    const nodes = [
      aNode('big', { cpus: 16, pods: [aRunningPod('db', 8)], isConsolidatable: false }),
      ...['a', 'b', 'c'].map((name) => aNode(name, { pods: [aRunningPod(`on-${name}`, 2)] })),
    ];
    expect(proposeCommand(aContext(aCluster(nodes))).command).toMatchObject({
      method: 'multi-node',
      decision: 'delete',
      candidates: [{ node: { name: 'a' } }, { node: { name: 'b' } }, { node: { name: 'c' } }],
    });
  });

  test('do not go for one of their own type: that one could have stayed', () => {
    const pods = ['p', 'q'].map((name) => aRunningPod(name, 4));
    const nodes = pods.map((pod, i) => aNode(`n${i}`, { cpus: 8, pods: [pod] }));
    const { command } = proposeCommand(aContext(aCluster(nodes)));
    expect(command).toMatchObject({ method: 'single-node', decision: 'delete' });
  });

  test.each([0, 98, 99])('are found in the first pass behind %d nodes of a pool whose budget allows none', (ahead) => {
    const others = Array.from({ length: ahead }, (_, i) =>
      aNode(`a${i}`, { cpus: 16, nodePoolName: 'a', pods: [aRunningPod(`on-a${i}`, 15.9)] }),
    );
    const spec = { nodeSelector: { 'karpenter.sh/nodepool': 'b' } };
    const two = ['b0', 'b1'].map((name) => aNode(name, { nodePoolName: 'b', pods: [aRunningPod(`on-${name}`, 3, { spec })] }));
    const nodePools = [
      aPool({ name: 'a', disruption: { budgets: [{ nodes: '0' }] }, instanceTypes: [aType(16)] }),
      aPool({ name: 'b', instanceTypes: [aType(4), aType(8, 0.6)] }),
    ];
    const { command } = proposeCommand(aContext(aCluster([...others, ...two], { nodePools })));
    expect(command).toMatchObject({ method: 'multi-node', candidates: [{ node: { name: 'b0' } }, { node: { name: 'b1' } }] });
  });

  test('are found wherever they stand in the order, behind nodes that cannot go together, within as many passes as there are nodes', () => {
    const spec = { nodeSelector: { 'karpenter.sh/nodepool': 'b' } };
    const full = Array.from({ length: 9 }, (_, i) =>
      aNode(`a${i}`, { cpus: 16, nodePoolName: 'a', pods: [aRunningPod(`on-a${i}`, 15.9)] }),
    );
    const two = ['b0', 'b1'].map((name) => aNode(name, { nodePoolName: 'b', pods: [aRunningPod(`on-${name}`, 3, { spec })] }));
    const nodePools = [aPool({ name: 'a', instanceTypes: [aType(16)] }), aPool({ name: 'b', instanceTypes: [aType(4), aType(8, 0.6)] })];
    const methods = Array.from({ length: 11 }, (_, turn) => {
      const { command } = proposeCommand(aContext(aCluster([...full, ...two], { nodePools }), { turn }));
      return command?.candidates.map(({ node }) => node.name).join();
    });
    expect(methods).toContain('b0,b1');
  });

  test('stay within the budget of each pool', () => {
    const nodePools = [aPool({ disruption: { budgets: [{ nodes: '2' }] } })];
    const nodes = [
      aNode('big', { cpus: 16, pods: [aRunningPod('db', 8)], isConsolidatable: false }),
      ...['a', 'b', 'c'].map((name) => aNode(name, { pods: [aRunningPod(`on-${name}`, 2)] })),
    ];
    expect(proposeCommand(aContext(aCluster(nodes, { nodePools }))).command?.candidates).toHaveLength(2);
  });
});

describe('when time runs out', () => {
  const full = aCluster(
    ['a', 'b', 'c', 'd', 'e'].map((name) => aNode(name, { pods: [aRunningPod(`on-${name}`, 3)] })),
    { nodePools: [aPool({ disruption: { budgets: [{ nodes: '1' }] } })] },
  );

  test('one is evaluated all the same, and what is not is said', () => {
    const { command, blocked, evaluated } = proposeCommand(aContext(full, { shouldStop: () => true }));
    expect(command).toBeUndefined();
    const kinds = Object.fromEntries([...blocked].map(([name, { kind }]) => [name, kind]));
    expect(kinds).toEqual({ a: 'no-cheaper-replacement', b: 'stopped', c: 'stopped', d: 'stopped', e: 'stopped' });
    expect(evaluated).toEqual(new Set(['a']));
  });

  test.each([
    ['single-node consolidation', aNode('x').nodePoolName, {}],
    ['drift', aNode('x').nodePoolName, { driftedAt: '2026-11-20T08:00:00Z' }],
  ])('before the first pass every time, %s comes to each node of forty within forty passes', (...[method, nodePoolName = '', options]) => {
    const cpus = method === 'drift' ? 64 : 3;
    const nodes = Array.from({ length: 40 }, (_, i) => aNode(`n${i}`, { nodePoolName, ...options, pods: [aRunningPod(`p${i}`, cpus)] }));
    let rounds: Pick<DisruptionContext, 'evaluated' | 'driftEvaluated'> = {};
    const answered = new Set<string>();
    for (let turn = 0; turn < 40; turn++) {
      const found = proposeCommand(aContext(aCluster(nodes), { ...rounds, turn, shouldStop: () => true }));
      rounds = { evaluated: found.evaluated, driftEvaluated: found.driftEvaluated };
      for (const [name, { kind }] of found.blocked) if (kind !== 'stopped') answered.add(name);
    }
    expect(answered.size).toBe(40);
  });

  test('the passes go on where the last one was cut, until each node was evaluated once', () => {
    const answered = ({ blocked }: Proposal): string =>
      [...blocked].flatMap(([name, { kind }]) => (kind === 'no-cheaper-replacement' ? [name] : [])).join();
    const passAfter = (evaluated: ReadonlySet<string>): Proposal => {
      let questions = 0;
      const counting: DisruptionContext['simulate'] = (snapshot, policy) => {
        questions++;
        return simulate(snapshot, policy, () => false);
      };
      // Two about what is pending anyway, and two about each node: time for two nodes.
      return proposeCommand(aContext(full, { evaluated, simulate: counting, shouldStop: () => questions >= 6 }));
    };
    const first = passAfter(new Set());
    const second = passAfter(first.evaluated);
    const third = passAfter(second.evaluated);
    expect([first, second, third].map(answered)).toEqual(['a,b', 'c,d', 'e,a']);
    expect(third.evaluated).toEqual(new Set(['a']));
  });
});
