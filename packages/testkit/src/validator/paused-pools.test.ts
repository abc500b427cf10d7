import { defaultSchedulingPolicy, labels, simulate } from '@karpenter/core';
import { createWhatIf } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import { aNode, aNodePool, anInstanceType, aPod, aSnapshot, labelled, pods, requesting, runningOn, spreadOver } from '../builders/index.ts';
import { validatedPlan } from './testing/validated-plan.ts';

const app = { labelSelector: { matchLabels: { app: 'web' } } };
const spreading = spreadOver({ maxSkew: 1, topologyKey: labels.zone, whenUnsatisfiable: 'DoNotSchedule', ...app });
const web = [requesting({ cpuMillis: 1000 }), labelled({ app: 'web' }), spreading];
const poolInZones = (name: string, zones: readonly string[], limits: Readonly<Record<string, string>>) =>
  aNodePool({ name, limits, requirements: [{ key: labels.zone, operator: 'In', values: zones }] });
const open = poolInZones('open', ['test-zone-1', 'test-zone-2'], {});
const instanceTypes = [anInstanceType({ cpus: 2 })];

describe('a zone in which only a NodePool at its limit could launch is no domain of a spread', () => {
  test.each([
    ['no node at all', { nodes: '0' }],
    ['less than the smallest machine', { cpu: '1' }],
  ])('%s is left', (_, limits) => {
    const snapshot = aSnapshot({
      instanceTypes,
      nodePools: [open, poolInZones('spent', ['test-zone-3'], limits)],
      pending: pods(6, ...web),
    });
    const plan = validatedPlan(snapshot);
    expect(plan.rejections).toEqual([]);
    expect(plan.plannedNodes.map(({ nodePoolName }) => nodePoolName)).toEqual(Array.from({ length: 6 }, () => 'open'));
  });

  test('while there is something left it is one', () => {
    const last = poolInZones('last', ['test-zone-3'], { nodes: '2' });
    const { plannedNodes } = simulate(aSnapshot({ instanceTypes, nodePools: [open, last], pending: pods(6, ...web) }));
    expect(plannedNodes.map(({ nodePoolName }) => nodePoolName).sort()).toEqual(['last', 'last', 'open', 'open', 'open', 'open']);
  });

  test('a node that is thought away leaves room for its successor, and with it the domain', () => {
    const spent = poolInZones('spent', ['test-zone-3'], { nodes: '1' });
    const node = aNode({ name: 'old', zone: 'test-zone-3', nodePoolName: 'spent', pods: [aPod(...web, runningOn('old'))] });
    const others = ['test-zone-1', 'test-zone-2'].map((zone) =>
      aNode({ name: zone, zone, allocatable: { cpu: 1000, memory: 2 ** 30, pods: 1 }, pods: [aPod(...web, runningOn(zone))] }),
    );
    const whatIf = createWhatIf(aSnapshot({ instanceTypes, nodePools: [open, spent], nodes: [node, ...others] }), defaultSchedulingPolicy);
    const plan = whatIf.ask(new Set(['old']));
    expect(plan.plannedNodes.map(({ nodePoolName }) => nodePoolName)).toEqual(['spent']);
  });
});
