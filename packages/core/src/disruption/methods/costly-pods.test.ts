import { describe, expect, test } from '@jest/globals';
import type { Pod } from '../../kube/index.ts';
import { defaultSchedulingPolicy, simulate } from '../../scheduling/index.ts';
import type { Plan } from '../../scheduling/index.ts';
import { proposeCommand } from '../command-proposal.ts';
import { aCluster, aNode, aRunningPod } from '../testing/a-cluster.ts';
import { aContext } from '../testing/a-context.ts';

const TOLERATIONS = 4_000;

/** Running pods of distinct shapes that cost about 12,000 units each. */
const costlyPods = (count: number): readonly Pod[] =>
  Array.from({ length: count }, (_, index) => {
    const tolerations = Array.from({ length: TOLERATIONS }, (__, each) => ({ key: `key-${index}-${each}`, operator: 'Exists' as const }));
    return aRunningPod(`costly-${index}`, 0.1, { spec: { tolerations } });
  });

const placedNames = ({ plannedNodes, placements }: Plan): readonly string[] =>
  [...plannedNodes.flatMap(({ pods }) => pods), ...[...placements.values()].flat()].map(({ metadata: { name } }) => name);

const early = '2026-11-20T08:00:00Z';

describe('when a node that drains has costly pods', () => {
  const pods = [...costlyPods(20), aRunningPod('web')];
  const draining = aCluster([aNode('a', { cpus: 16, pods, isMarkedForDeletion: true })]);

  test('its ordinary pods get places, and as many of the costly ones as a plan has work for', () => {
    const plan = simulate(draining);
    expect([...placedNames(plan)].sort()).toEqual(['costly-0', 'costly-1', 'web']);
    expect(plan.postponed).toHaveLength(18);
  });

  test('plan after plan all of them are considered', () => {
    const seen = new Set<string>();
    let postponed: readonly Pod[] = [];
    for (let plans = 0; plans < 10; plans += 1) {
      const plan = simulate(draining, { ...defaultSchedulingPolicy, postponed });
      for (const name of placedNames(plan)) seen.add(name);
      postponed = plan.postponed ?? [];
    }
    expect(seen.size).toBe(21);
  });

  test('pending pods take none of their work', () => {
    const pendingPods = costlyPods(2).map((pod) => ({ ...pod, metadata: { name: `pending-${pod.metadata.name}` } }));
    const plan = simulate({ ...draining, pendingPods });
    expect(placedNames(plan)).toEqual(expect.arrayContaining(['costly-0', 'costly-1', 'pending-costly-0', 'pending-costly-1']));
  });
});

describe('when a node that drains has more ordinary pods of one namespace than the share of a namespace', () => {
  /** About 1,500 units each: 200 of them are more than the work of a plan. */
  const ordinary = (namespace: string, count: number): readonly Pod[] =>
    Array.from({ length: count }, (_, index) => {
      const tolerations = Array.from({ length: 500 }, (__, each) => ({
        key: `${namespace}-${index}-${each}`,
        operator: 'Exists' as const,
      }));
      const pod = aRunningPod(`${namespace}-${index}`, 0.01, { spec: { tolerations } });
      return { ...pod, metadata: { ...pod.metadata, namespace } };
    });
  const [greedy, modest] = [ordinary('greedy', 200), ordinary('modest', 5)];
  const nodes = [aNode('a', { cpus: 16, pods: [...greedy, ...modest], isMarkedForDeletion: true })];
  const names = (pods: readonly Pod[]): readonly string[] => pods.map(({ metadata: { name } }) => name);

  test('those of another namespace on it get places in the same plan, and some of the others wait', () => {
    const plan = simulate(aCluster(nodes));
    expect(placedNames(plan)).toEqual(expect.arrayContaining([...names(modest)]));
    const waiting = plan.postponed ?? [];
    expect(new Set(waiting.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['greedy']));
    expect(placedNames(plan).length + waiting.length).toBe(205);
  });

  test('pending pods of that namespace and of others get places beside them', () => {
    const pendingPods = [...ordinary('greedy', 3), ...ordinary('shop', 3)].map((pod) => {
      const name = `pending-${pod.metadata.name}`;
      return { ...pod, metadata: { ...pod.metadata, name, uid: name } };
    });
    const plan = simulate({ ...aCluster(nodes), pendingPods });
    expect(placedNames(plan)).toEqual(expect.arrayContaining([...names(pendingPods), ...names(modest)]));
  });

  test('the next plan begins with those that wait, until each had its turn', () => {
    const seen = new Set<string>();
    let postponed: readonly Pod[] = [];
    for (let plans = 0; plans < 3; plans += 1) {
      const plan = simulate(aCluster(nodes), { ...defaultSchedulingPolicy, postponed });
      for (const name of placedNames(plan)) seen.add(name);
      postponed = plan.postponed ?? [];
    }
    expect(seen.size).toBe(205);
  });
});

describe('a node that could go, with costly pods', () => {
  const others = aNode('b', { cpus: 16, pods: [aRunningPod('db', 8)], annotations: { 'karpenter.sh/do-not-disrupt': 'true' } });

  test('goes where planning them is within the work of a question', () => {
    const { command } = proposeCommand(aContext(aCluster([aNode('a', { pods: costlyPods(3) }), others])));
    expect(command?.candidates.map(({ node }) => node.name)).toEqual(['a']);
  });

  test('stays where planning them takes more, and the reason names those that were not planned', () => {
    const { command, blocked } = proposeCommand(aContext(aCluster([aNode('a', { pods: costlyPods(10) }), others])));
    expect(command).toBeUndefined();
    expect(blocked.get('a')).toEqual({ kind: 'costly-pods', pods: ['default/costly-8', 'default/costly-9'] });
  });

  test('stays when it has drifted, too, and the reason says so', () => {
    const { blocked } = proposeCommand(aContext(aCluster([aNode('a', { driftedAt: early, pods: costlyPods(10) })])));
    expect(blocked.get('a')).toMatchObject({ kind: 'costly-pods', isDrifted: true });
  });

  test('is replaced when it has drifted and planning them is within the work of a question', () => {
    const { command } = proposeCommand(aContext(aCluster([aNode('a', { driftedAt: early, pods: costlyPods(3) })])));
    expect(command).toMatchObject({ method: 'drift', decision: 'replace' });
  });
});
