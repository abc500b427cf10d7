import { defaultSchedulingPolicy, explain, type Pod, simulate } from '@karpenter/core';
import type { NodeView } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import {
  aNode,
  anInstanceType,
  aPod,
  aSnapshot,
  awayFrom,
  inNamespace,
  labelled,
  named,
  nextTo,
  ownedBy,
  pods,
  ratherNextTo,
  requesting,
  withNodeSelector,
} from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';
import { placesOf } from './testing/places-of.ts';
import { arch, check, hostname, large, ofWeb, one, over, pool, small, web, z1, z2, z3, zone, boundTo } from './testing/web-pods.ts';
import type { PlacementCase } from './testing/web-pods.ts';

const apartBy = (topologyKey: string): PodTrait => awayFrom({ topologyKey, ...ofWeb });
const leaving: PodTrait = (pod) => ({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
const lead = labelled({ lead: 'yes' });
const ofLead = { labelSelector: { matchLabels: { lead: 'yes' } } };
/** Only once one that leads is somewhere. */
const afterLead = nextTo({ topologyKey: 'site', ...ofLead });
const onRed = withNodeSelector({ team: 'red' });
const node = (name: string, [inZone, team]: readonly [string, string], ...own: readonly Pod[]): NodeView =>
  aNode({ name, zone: inZone, labels: { team, site: 's1' }, pods: own });

describe('a spread counts', () => {
  test.each<PlacementCase>([
    {
      name: 'no pod on a node that its own may not go to',
      cluster: {
        pending: pods(2, web, small, onRed, over(zone)),
        nodes: [node('a', [z1, 'red']), node('b', [z1, 'blue'], boundTo('b', web), boundTo('b', web)), node('c', [z2, 'red'])],
        nodePools: [],
      },
      placed: { a: 1, c: 1 },
    },
    {
      name: 'no pod that the plan puts on such a node before its own may come',
      cluster: {
        pending: [...pods(2, web, lead, large, withNodeSelector({ team: 'blue' })), ...pods(2, web, small, onRed, afterLead, over(zone))],
        nodes: [node('a', [z1, 'red']), node('b', [z1, 'blue']), node('c', [z2, 'red'])],
        nodePools: [],
      },
      placed: { a: 1, b: 2, c: 1 },
    },
    {
      name: 'no pod that the plan puts on a new node of a pool that its own may not go to',
      cluster: {
        pending: [
          ...pods(2, web, lead, large, withNodeSelector({ team: 'blue', [zone]: z1 })),
          ...pods(2, web, small, onRed, afterLead, over(zone)),
        ],
        nodes: [node('a', [z1, 'red']), node('c', [z2, 'red'])],
        nodePools: [pool('blue', { labels: { team: 'blue', site: 's1' } })],
      },
      placed: { a: 1, c: 1, [z1]: 2 },
    },
    {
      name: 'no pod that is being deleted',
      cluster: {
        pending: [aPod(web, small, over(zone))],
        nodes: [node('a', [z1, 'red'], boundTo('a', web, leaving), boundTo('a', web, leaving)), node('b', [z2, 'red'], boundTo('b', web))],
        nodePools: [],
      },
      placed: { a: 1 },
    },
    {
      name: 'pods that stay on a node which is marked for deletion',
      cluster: {
        pending: [aPod(web, small, over(zone))],
        nodes: [
          { ...node('a', [z1, 'red'], boundTo('a', web, ownedBy('DaemonSet'))), isMarkedForDeletion: true },
          node('b', [z1, 'red']),
          node('c', [z2, 'red']),
        ],
        nodePools: [],
      },
      placed: { c: 1 },
    },
    {
      name: 'but only where it counts that node',
      cluster: {
        pending: [aPod(web, small, onRed, over(zone))],
        nodes: [
          { ...node('a', [z1, 'blue'], boundTo('a', web, ownedBy('DaemonSet'))), isMarkedForDeletion: true },
          node('b', [z1, 'red']),
          node('c', [z2, 'red']),
        ],
        nodePools: [],
      },
      placed: { b: 1 },
    },
  ])('$name', check);

  test('a domain as empty while all that is there may still come up where it does not count', () => {
    const amd = withNodeSelector({ [arch]: 'amd64' });
    const follower = [web, small, amd, over(zone), nextTo({ topologyKey: zone, ...ofLead })];
    const instanceTypes = ['amd64', 'arm64'].map((each) => anInstanceType({ name: each, cpus: 2, arch: each }));
    const rejectedBeside = (...traits: readonly PodTrait[]): number =>
      placesOf({ pending: [...pods(3, web, lead, large, over(zone), ...traits), aPod(...follower)], instanceTypes }).rejected;
    expect(rejectedBeside()).toBe(1);
    expect(rejectedBeside(amd)).toBe(0);
  });
});

describe('a domain of a spread', () => {
  const unsold = 'test-zone-9';
  test.each<PlacementCase>([
    {
      name: 'is gone with the last node in it, where nothing can be bought there',
      cluster: {
        pending: pods(3, web, small, over(zone)),
        nodes: [node('a', [unsold, 'red']), node('b', [z1, 'red'])],
        nodePools: [pool('one', { requirements: [one(zone, z1)] })],
      },
      without: ['a'],
      placed: { b: 3 },
    },
    {
      name: 'is not gone while another node is there',
      cluster: {
        pending: pods(3, web, small, over(zone)),
        nodes: [node('a', [unsold, 'red']), node('b', [z1, 'red']), node('c', [unsold, 'red'])],
        nodePools: [],
      },
      without: ['a'],
      placed: { b: 2, c: 1 },
    },
    {
      name: 'is not gone with a node that opened none',
      cluster: {
        pending: pods(3, web, small, onRed, over(zone, { minDomains: 2 })),
        nodes: [node('a', [z1, 'blue']), node('b', [z1, 'red']), node('c', [unsold, 'red'])],
        nodePools: [],
      },
      without: ['a'],
      placed: { b: 2, c: 1 },
    },
    {
      name: 'is none that a pool opens which has nothing to sell',
      cluster: {
        pending: pods(2, web, small, over(zone)),
        nodePools: [pool('empty', { requirements: [one(arch, 'riscv64')] }), pool('one', { requirements: [one(zone, z1)] })],
      },
      placed: { [z1]: 2 },
    },
  ])('$name', check);
});

describe('who keeps whom apart', () => {
  test.each<PlacementCase>([
    {
      name: 'a pod that was placed in the same plan keeps away others that ask for nothing',
      cluster: { pending: [aPod(large, apartBy(hostname)), aPod(web, small)] },
      placed: { any: 2 },
    },
    {
      name: 'two that are kept away by a third may be together',
      cluster: { pending: pods(2, web, small), nodes: [node('a', [z1, 'red'], boundTo('a', apartBy(hostname))), node('b', [z1, 'red'])] },
      placed: { b: 2 },
    },
    {
      name: 'a pod that is being deleted still keeps others away',
      cluster: {
        pending: [aPod(web, small)],
        nodes: [node('a', [z1, 'red'], boundTo('a', leaving, apartBy(hostname))), node('b', [z1, 'red'])],
      },
      placed: { b: 1 },
    },
    {
      name: 'a pod that is to leave its node keeps nobody away from there',
      cluster: {
        pending: [aPod(web, large, apartBy(zone))],
        nodes: [{ ...node('a', [z1, 'red'], boundTo('a', web, small, apartBy(zone))), isMarkedForDeletion: true }, node('b', [z1, 'red'])],
      },
      placed: { b: 1, [z2]: 1 },
    },
    {
      name: 'a node is not passed by for the number that a full zone has',
      cluster: {
        pending: [aPod(small, apartBy(zone))],
        nodes: [node('a', [z2, 'red']), node('b', [z1, 'red'], boundTo('b', web))],
        nodePools: [],
      },
      placed: { a: 1 },
    },
    {
      name: 'a label without a value is a label all the same',
      cluster: {
        pending: [aPod(small), aPod(labelled({ track: '' }), small)],
        nodes: [
          node(
            'a',
            [z1, 'red'],
            boundTo('a', awayFrom({ topologyKey: hostname, labelSelector: { matchExpressions: [{ key: 'track', operator: 'Exists' }] } })),
          ),
          node('b', [z1, 'red']),
        ],
        nodePools: [],
      },
      placed: { a: 1, b: 1 },
    },
  ])('$name', check);

  test('a pod without a namespace is in the default one', () => {
    const [anyone, neighbour] = [aPod(web, small, apartBy(hostname)), boundTo('a', web, inNamespace('default'))];
    const { namespace: _, ...metadata } = anyone.metadata;
    expect(
      placesOf({ pending: [{ ...anyone, metadata }], nodes: [node('a', [z1, 'red'], neighbour), node('b', [z1, 'red'])] }).placed,
    ).toEqual({ b: 1 });
    const { namespace: __, ...ofNeighbour } = neighbour.metadata;
    expect(
      placesOf({ pending: [anyone], nodes: [node('a', [z1, 'red'], { ...neighbour, metadata: ofNeighbour }), node('b', [z1, 'red'])] })
        .placed,
    ).toEqual({ b: 1 });
  });

  test('of two that keep a pod away the same is named, whichever comes first', () => {
    const nodes = [
      node('a', [z1, 'red'], boundTo('a', named('by-host'), apartBy(hostname))),
      node('b', [z1, 'red'], boundTo('b', named('by-zone'), apartBy(zone))),
    ];
    const said = [nodes, nodes.toReversed()].map((each) =>
      simulate(
        aSnapshot({ pending: [aPod(named('web'), web, small)], nodes: each, nodePools: [pool('one', { requirements: [one(zone, z1)] })] }),
        defaultSchedulingPolicy,
      ).rejections.map(explain),
    );
    expect(said[0]).toHaveLength(1);
    expect(said[0]).toEqual(said[1]);
  });
});

describe('pod affinity', () => {
  const racked = pool('racked', { labels: { rack: 'r1' } });
  const together = nextTo({ topologyKey: 'rack', ...ofWeb });
  test.each<PlacementCase>([
    {
      name: 'may start in a domain though one of the kind is on a node without the label',
      cluster: { pending: [aPod(web, small, together)], nodes: [node('a', [z1, 'red'], boundTo('a', web))], nodePools: [racked] },
      placed: { any: 1 },
    },
    {
      name: 'may start in a domain though the plan puts one of the kind on a new node without the label',
      cluster: {
        pending: [aPod(web, large, withNodeSelector({ team: 'blue' })), aPod(web, small, together)],
        nodePools: [pool('blue', { labels: { team: 'blue' } }), racked],
      },
      placed: { any: 2 },
    },
  ])('$name', check);
});

describe('what others only prefer', () => {
  const filling = requesting({ cpuMillis: 1850 });
  const instanceTypes = [anInstanceType({ cpus: 2 })];
  test.each<[string, PodTrait]>([
    ['a spread', over(zone, { whenUnsatisfiable: 'ScheduleAnyway' })],
    ['pod affinity', ratherNextTo(1, { topologyKey: zone, ...ofWeb })],
  ])('does not hold a node to a zone: %s', (_, cluster) => {
    expect(placesOf({ pending: [aPod(web, filling), aPod(web, small, cluster)], instanceTypes }).placed['any']).toBe(1);
  });
});

test('the order in which a pod names its constraints changes nothing', () => {
  const racks = pool('racks', { requirements: [one('rack', 'r1', 'r2'), one(zone, z1, z2, z3)] });
  const placedBy = (...traits: readonly PodTrait[]) => {
    const plan = simulate(aSnapshot({ pending: pods(5, web, small, ...traits), nodePools: [racks] }), defaultSchedulingPolicy);
    return plan.plannedNodes.map(({ claim, pods: own }) => [claim.spec.requirements, own.length]);
  };
  expect(placedBy(over(zone), over('rack'))).toEqual(placedBy(over('rack'), over(zone)));
});
