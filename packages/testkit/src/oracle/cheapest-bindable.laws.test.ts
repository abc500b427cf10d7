import { defaultSchedulingPolicy } from '@karpenter/core';
import type { ClusterSnapshot } from '@karpenter/core';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aHandful } from '../arbitraries/index.ts';
import {
  aNode,
  aNodePool,
  anInstanceType,
  aPod,
  aSnapshot,
  inZone,
  labelled,
  nextTo,
  pods,
  requesting,
  spreadOver,
  withNodeSelector,
} from '../builders/index.ts';
import { lawRuns } from '../validator/testing/law-runs.ts';
import { cheapestBindable } from './cheapest-bindable.ts';
import { validatedPlan } from '../validator/testing/validated-plan.ts';

const policy = { ...defaultSchedulingPolicy, preferences: 'Ignore' } as const;

/** How many of 10,000 questions that have an answer were left with a pod over: see docs/scheduling-coverage.md for the why. */
const MISSED = 0.0007;
/** Of 10,000 questions 98.6 % were answered with the cheapest plan, the worst with one at four times its price. */
const RATIO = 4;

interface Answer {
  readonly snapshot: ClusterSnapshot;
  readonly cheapest: number;
  readonly isComplete: boolean;
  readonly pricePerHour: number;
}

const answerTo = (snapshot: ClusterSnapshot): Answer => {
  const plan = validatedPlan(snapshot, policy);
  const { rejections, pricePerHour } = plan;
  return { snapshot, cheapest: cheapestBindable(snapshot), isComplete: rejections.length === 0, pricePerHour };
};

describe('against every way to bind up to four pods that ask much of each other', () => {
  test('what is planned whole can be bound whole, and never for less than the cheapest', () => {
    fc.assert(
      fc.property(aHandful, (snapshot) => {
        const { isComplete, cheapest, pricePerHour } = answerTo(snapshot);
        fc.pre(isComplete);
        expect(cheapest).toBeLessThanOrEqual(pricePerHour + 1e-9);
        if (cheapest > 0) expect(pricePerHour).toBeLessThanOrEqual(cheapest * RATIO + 1e-9);
      }),
      lawRuns({ usual: 100, all: 250 }),
    );
  });

  test('what can be bound whole is planned whole, but for a rare few that must follow others to where these need not go', () => {
    const { seed } = fc.readConfigureGlobal();
    const answers = fc.sample(aHandful, 400).map(answerTo);
    const possible = answers.filter(({ cheapest }) => Number.isFinite(cheapest));
    const missed = possible.filter(({ isComplete }) => !isComplete);
    // Twenty times the measured share: chance alone does not get there.
    expect({ seed, isRare: missed.length <= possible.length * MISSED * 20 }).toEqual({ seed, isRare: true });
  });
});

describe('what brute force found missing', () => {
  const team = withNodeSelector({ team: 'red' });
  const zone = 'topology.kubernetes.io/zone';
  const zones = ['test-zone-1', 'test-zone-2'];
  const instanceTypes = [anInstanceType({ cpus: 2 })];
  const aSmallNode = (name: string, labels: Readonly<Record<string, string>> = {}) =>
    aNode({ name, labels, allocatable: { cpu: 2000, memory: 8 * 1024 ** 3, pods: 10 } });

  test.each<[string, ClusterSnapshot]>([
    [
      'a large pod that may go anywhere does not take the only room where a small one has its label',
      aSnapshot({
        pending: [aPod(requesting({ cpuMillis: 1500 })), aPod(requesting({ cpuMillis: 700 }), team)],
        nodes: [aSmallNode('node-0', { team: 'red' })],
        instanceTypes,
      }),
    ],
    [
      'nor the only room where it has its company',
      aSnapshot({
        pending: [
          ...pods(2, requesting({ cpuMillis: 700 })),
          ...pods(2, requesting({ cpuMillis: 600 }), labelled({ app: 'web' }), nextTo({ topologyKey: 'team', labelSelector: {} })),
        ],
        nodes: [
          aNode({ name: 'node-0', labels: { team: 'red' }, allocatable: { cpu: 2000, memory: 8 * 1024 ** 3, pods: 10 }, pods: [aPod()] }),
          aSmallNode('node-1'),
        ],
        instanceTypes,
      }),
    ],
    [
      'an architecture that is on sale, but not in the zone of the pods, is no domain to spread over',
      aSnapshot({
        pending: pods(
          3,
          labelled({ app: 'web' }),
          inZone('test-zone-1'),
          spreadOver({
            topologyKey: 'kubernetes.io/arch',
            maxSkew: 1,
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { app: 'web' } },
          }),
        ),
        nodePools: [aNodePool()],
        instanceTypes: ['amd64', 'arm64'].map((arch, index) => anInstanceType({ name: arch, arch, zones: zones.slice(index, index + 1) })),
      }),
    ],
    [
      'a pod that may go anywhere goes to the only zone into which another can follow it',
      aSnapshot({
        pending: [
          aPod(labelled({ app: 'web' }), requesting({ cpuMillis: 700 })),
          aPod(inZone('test-zone-2'), nextTo({ topologyKey: zone, labelSelector: { matchLabels: { app: 'web' } } })),
        ],
        nodes: [aSmallNode('node-0')],
        instanceTypes,
      }),
    ],
    [
      'nor does it leave so little room on its host that the other finds none',
      aSnapshot({
        pending: [
          ...pods(2, requesting({ cpuMillis: 700 })),
          aPod(
            requesting({ cpuMillis: 700 }),
            nextTo({ topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } }),
          ),
          aPod(labelled({ app: 'web' }), requesting({ cpuMillis: 100 })),
        ],
        instanceTypes,
      }),
    ],
    [
      'pods that stay together start where all of them have room',
      aSnapshot({
        pending: pods(
          3,
          labelled({ app: 'web' }),
          requesting({ cpuMillis: 1500 }),
          nextTo({ topologyKey: 'kubernetes.io/arch', labelSelector: { matchLabels: { app: 'web' } } }),
        ),
        nodes: [aSmallNode('node-0')],
        instanceTypes: [anInstanceType({ cpus: 8, arch: 'arm64' })],
      }),
    ],
    [
      'pods that do not care open the zone that a spread waits for, two of them where it takes two',
      aSnapshot({
        pending: [
          ...pods(2, labelled({ app: 'web' }), requesting({ cpuMillis: 700 })),
          ...pods(
            3,
            labelled({ app: 'web' }),
            requesting({ cpuMillis: 600 }),
            inZone('test-zone-1'),
            spreadOver({
              topologyKey: zone,
              maxSkew: 1,
              whenUnsatisfiable: 'DoNotSchedule',
              nodeAffinityPolicy: 'Ignore',
              labelSelector: { matchLabels: { app: 'web' } },
            }),
          ),
        ],
        nodes: [aSmallNode('node-0')],
        instanceTypes: [anInstanceType({ cpus: 2, zones })],
        nodePools: [aNodePool({ requirements: [{ key: zone, operator: 'In', values: zones }] })],
      }),
    ],
  ])('%s', (_, snapshot) => {
    expect(Number.isFinite(cheapestBindable(snapshot))).toBe(true);
    expect(answerTo(snapshot).isComplete).toBe(true);
  });
});
