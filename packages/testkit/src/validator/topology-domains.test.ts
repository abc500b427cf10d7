import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { InstanceType, NodePool, RequirementSpec, Taint } from '@karpenter/core';
import { describe, expect, test } from '@jest/globals';
import {
  aNode,
  anInstanceType,
  aPod,
  aSnapshot,
  inZone,
  nextTo,
  pods,
  requiringAnyOf,
  runningOn,
  tolerating,
  withNodeSelector,
} from '../builders/index.ts';
import type { SnapshotOptions } from '../builders/index.ts';
import { arch, check, large, ofWeb, one, over, pool, small, web, z1, z2, z3, zone } from './testing/web-pods.ts';
import type { PlacementCase } from './testing/web-pods.ts';

const dedicated: Taint = { key: 'dedicated', effect: 'NoSchedule' };
const tolerant = tolerating({ key: 'dedicated', operator: 'Exists' });
const sold = (name: string, archOfType: string, ...zones: readonly string[]): InstanceType =>
  anInstanceType({ name, cpus: 2, arch: archOfType, zones });
const both = [sold('amd', 'amd64', z1, z2, z3), sold('arm', 'arm64', z1, z2, z3)];

describe('nodes that a spread counts', () => {
  const a = aNode({ name: 'a', zone: z1, labels: { team: 'red', rack: 'r1' } });
  const b = aNode({ name: 'b', zone: z2, labels: { team: 'blue' }, taints: [dedicated] });
  const c = aNode({ name: 'c', zone: z3, labels: { team: 'green' } });
  const teams = requiringAnyOf(...['red', 'green'].map((team) => ({ matchExpressions: [one('team', team)] })));
  test.each<PlacementCase>([
    {
      name: 'one whose taints the pod does not tolerate, as its policy is to ignore them',
      cluster: { pending: pods(2, web, small, over(zone)), nodes: [a, b], nodePools: [] },
      placed: { a: 1 },
      rejected: 1,
    },
    {
      name: 'not so where its policy is to honour them',
      cluster: { pending: pods(2, web, small, over(zone, { nodeTaintsPolicy: 'Honor' })), nodes: [a, b], nodePools: [] },
      placed: { a: 2 },
    },
    {
      name: 'and then, too, for a pod that bears them',
      cluster: { pending: pods(3, web, small, tolerant, over(zone, { nodeTaintsPolicy: 'Honor' })), nodes: [a, b], nodePools: [] },
      placed: { a: 2, b: 1 },
    },
    {
      name: 'each pod by its own tolerations',
      cluster: {
        pending: [
          ...pods(2, web, large, tolerant, over(zone, { nodeTaintsPolicy: 'Honor' })),
          ...pods(2, web, small, over(zone, { nodeTaintsPolicy: 'Honor' })),
        ],
        nodes: [a, b],
        nodePools: [],
      },
      placed: { a: 3, b: 1 },
    },
    {
      name: 'none that the pod may not go to',
      cluster: { pending: pods(2, web, small, inZone(z1), over(zone)), nodes: [a, c], nodePools: [] },
      placed: { a: 2 },
    },
    {
      name: 'but where its policy is to ignore that',
      cluster: { pending: pods(2, web, small, inZone(z1), over(zone, { nodeAffinityPolicy: 'Ignore' })), nodes: [a, c], nodePools: [] },
      placed: { a: 1 },
      rejected: 1,
    },
    {
      name: 'each pod by where it may go itself',
      cluster: { pending: [...pods(2, web, large, inZone(z1), over(zone)), aPod(web, small, over(zone))], nodes: [a, c], nodePools: [] },
      placed: { a: 2, c: 1 },
    },
    {
      name: 'those that any one of its terms allows',
      cluster: { pending: pods(4, web, small, tolerant, teams, over(zone)), nodes: [a, b, c], nodePools: [] },
      placed: { a: 2, c: 2 },
    },
    {
      name: 'none that lacks the label of another of its spreads',
      cluster: { pending: pods(2, web, small, over(zone), over('rack')), nodes: [a, c], nodePools: [] },
      placed: { a: 2 },
    },
    {
      name: 'and whatever its name, for a spread over hosts besides',
      cluster: { pending: pods(2, web, small, over(zone), over('kubernetes.io/hostname')), nodes: [a, c], nodePools: [] },
      placed: { a: 1, c: 1 },
    },
  ])('$name', check);
});

describe('domains that a pool opens', () => {
  const red = pool('red', { labels: { team: 'red' }, requirements: [one(zone, z1)] });
  const plain = pool('plain', { requirements: [one(zone, z2)] });
  test.each<PlacementCase>([
    {
      name: 'those of one with taints that the pod bears',
      cluster: {
        pending: pods(3, web, small, tolerant, over(zone, { nodeTaintsPolicy: 'Honor' })),
        nodePools: [pool('closed', { taints: [dedicated] })],
      },
      placed: { [z1]: 1, [z2]: 1, [z3]: 1 },
    },
    {
      name: 'none of one without the label of another of its spreads',
      cluster: {
        pending: pods(2, web, small, over(zone), over('rack', { maxSkew: 5 })),
        nodePools: [pool('racked', { labels: { rack: 'r1' }, requirements: [one(zone, z1)] }), plain],
      },
      placed: { [z1]: 2 },
    },
    {
      name: 'none of one without a label that the pod selects',
      cluster: { pending: pods(2, web, small, withNodeSelector({ team: 'red' }), over(zone)), nodePools: [red, plain] },
      placed: { [z1]: 2 },
    },
    {
      name: 'those where what the pod selects is sold, though the pool says nothing of it',
      cluster: { pending: pods(3, web, small, withNodeSelector({ [arch]: 'amd64' }), over(zone)) },
      placed: { [z1]: 1, [z2]: 1, [z3]: 1 },
    },
    {
      name: 'not where the zone and what it selects are each sold, and never together',
      cluster: {
        pending: pods(4, web, small, withNodeSelector({ [arch]: 'amd64' }), over(zone)),
        instanceTypes: [sold('amd', 'amd64', z1, z2), sold('arm', 'arm64', z3)],
      },
      placed: { [z1]: 2, [z2]: 2 },
    },
    {
      name: 'the cheapest first',
      cluster: {
        pending: [aPod(web, small, over(zone))],
        instanceTypes: [
          anInstanceType({
            offerings: [3, 1, 2].map((pricePerHour, index) => ({
              zone: `test-zone-${index + 1}`,
              capacityType: 'on-demand',
              pricePerHour,
            })),
          }),
        ],
      },
      placed: { [z2]: 1 },
    },
  ])('$name', check);
});

describe('values of a label that is not the zone', () => {
  const disks = ['ssd', 'hdd'].map((disk) => anInstanceType({ name: disk, labels: { disk } }));
  const rackPool = (requirement: Omit<RequirementSpec, 'key'>): readonly NodePool[] => [
    pool('racked', { requirements: [{ key: 'rack', ...requirement }] }),
  ];
  const planned = (cluster: SnapshotOptions): readonly number[] =>
    simulate(aSnapshot(cluster), defaultSchedulingPolicy).plannedNodes.map(({ pods: own }) => own.length);
  test.each<[string, SnapshotOptions, readonly number[]]>([
    [
      'are those that the types state where the pool asks for the label',
      {
        pending: pods(4, web, small, over('disk')),
        instanceTypes: disks,
        nodePools: [pool('disks', { requirements: [{ key: 'disk', operator: 'Exists' }] })],
      },
      [2, 2],
    ],
    [
      'are none where the pool does not, though the types state some',
      { pending: pods(2, web, small, over('disk')), instanceTypes: disks },
      [],
    ],
    ['are none where no type has the label', { pending: [aPod(web, small, over('node.kubernetes.io/windows-build'))] }, []],
    [
      'are none where the label may be missing',
      { pending: [aPod(web, small, over('rack'))], nodePools: rackPool({ operator: 'NotIn', values: ['x'] }) },
      [],
    ],
    [
      'is one that is made up where the label must be there',
      { pending: pods(3, web, small, over('rack')), nodePools: rackPool({ operator: 'Exists' }) },
      [3],
    ],
    [
      'are those that the pool lists',
      { pending: pods(4, web, small, over('rack')), nodePools: rackPool({ operator: 'In', values: ['x', 'y'] }) },
      [2, 2],
    ],
  ])('%s', (_, cluster, expected) => expect(planned(cluster)).toEqual(expected));
});

describe('a planned node that may still come up in several ways', () => {
  const amd = withNodeSelector({ [arch]: 'amd64' });
  const guest = aPod(web, small, amd, over(zone));
  const eitherArch = requiringAnyOf({ matchExpressions: [one(arch, 'amd64', 'arm64')] });
  const someTeam = [pool('teams', { requirements: [one('team', 'red', 'blue')] })];
  const eitherOptions = requiringAnyOf({ matchExpressions: [one(arch, 'amd64')] }, { matchExpressions: [one('team', 'red')] });
  const teamless = requiringAnyOf({ matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['blue'] }] });
  test.each<PlacementCase>([
    {
      name: 'counts for nobody who minds the architecture, so that such a pod comes first',
      cluster: { pending: [...pods(3, web, large, over(zone)), guest], instanceTypes: both },
      placed: { [z1]: 2, [z2]: 1, [z3]: 1 },
    },
    {
      name: 'the same where it names both',
      cluster: { pending: [...pods(3, web, large, eitherArch, over(zone)), guest], instanceTypes: both },
      placed: { [z1]: 2, [z2]: 1, [z3]: 1 },
    },
    {
      name: 'counts for sure once that is settled',
      cluster: { pending: [...pods(3, web, large, amd, over(zone)), guest], instanceTypes: both },
      placed: { [z1]: 2, [z2]: 1, [z3]: 1 },
    },
    {
      name: 'counts for sure where one of several terms is settled',
      cluster: {
        pending: [...pods(3, web, large, amd, over(zone)), aPod(web, small, eitherOptions, over(zone))],
        instanceTypes: both,
        nodePools: someTeam,
      },
      placed: { [z1]: 2, [z2]: 1, [z3]: 1 },
    },
    {
      name: 'counts for sure where it cannot have the label that the pod will not have',
      cluster: { pending: [...pods(3, web, large, over(zone)), aPod(web, small, teamless, over(zone))], instanceTypes: both },
      placed: { [z1]: 2, [z2]: 1, [z3]: 1 },
    },
    {
      name: 'is held to a zone for a pod that asks for none, where others are spread beside it',
      cluster: { pending: [aPod(web, large), aPod(web, small, over(zone))] },
      placed: { [z1]: 2 },
    },
    {
      name: 'is held to none where no one spreads',
      cluster: { pending: [aPod(web, large), aPod(web, small)] },
      placed: { any: 2 },
    },
  ])('$name', check);
});

describe('pod affinity over several keys', () => {
  const together = [nextTo({ topologyKey: zone, ...ofWeb }), nextTo({ topologyKey: 'rack', ...ofWeb })];
  const rackless = aNode({ name: 'a', zone: z1, pods: [aPod(web, runningOn('a'))] });
  test.each<PlacementCase>([
    {
      name: 'one of the kind that is in a domain of one key keeps others from starting in the other',
      cluster: { pending: [aPod(web, small, ...together)], nodes: [rackless], nodePools: [pool('racked', { labels: { rack: 'r1' } })] },
      placed: {},
      rejected: 1,
    },
    {
      name: 'the first of a kind starts where both labels are',
      cluster: {
        pending: pods(2, web, small, ...together),
        nodes: [aNode({ name: 'a', zone: z1 }), aNode({ name: 'b', zone: z1, labels: { rack: 'r1' } })],
        nodePools: [],
      },
      placed: { b: 2 },
    },
    {
      name: 'and nowhere when no node has them',
      cluster: { pending: [aPod(web, small, ...together)], nodes: [aNode({ name: 'a' })], nodePools: [] },
      placed: {},
      rejected: 1,
    },
  ])('$name', check);
});
