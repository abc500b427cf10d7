import { type ClusterSnapshot, explain, type Pod } from '@karpenter/core';
import type { ResourceClaim } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import { anInstanceType, aSnapshot, awayFrom, labelled, spreadOver } from '../../builders/index.ts';
import { allocated, claimOf, devicesOf, gpus, request, sliceOf, typeWith, usingClaims } from './testing/gpu-cluster.ts';
import { validatedPlan } from '../testing/validated-plan.ts';

const ZONE = 'topology.kubernetes.io/zone';

const selectorOfZones = (...zones: readonly string[]) => ({
  nodeSelectorTerms: zones.map((zone) => ({ matchExpressions: [{ key: ZONE, operator: 'In' as const, values: [zone] }] })),
});

/** The types and zones of the planned nodes, and why pods have no place. */
const answer = (snapshot: ClusterSnapshot) => {
  const plan = validatedPlan(snapshot);
  const planned = plan.plannedNodes.map(({ cheapest }) => `${cheapest.instanceType.name} ${cheapest.offering.zone}`);
  return { planned, rejected: plan.rejections.map(explain) };
};

describe('where the node of a pod with claims is planned', () => {
  /** Cheaper than others, and too small for any pod. */
  const tiny = anInstanceType({ name: 'tiny', cpus: 0.1, zones: ['test-zone-1'] });

  test('when two zones have devices and only the cheaper type, which has no room, is in the first › in the second', () => {
    const claim = claimOf('a', [request('r')]);
    const slices = ['test-zone-1', 'test-zone-2'].map((zone) => sliceOf(gpus(1), { name: zone, nodeSelector: selectorOfZones(zone) }));
    const instanceTypes = [tiny, anInstanceType({ name: 'roomy', zones: ['test-zone-2'] })];
    expect(answer(aSnapshot({ instanceTypes, pending: [usingClaims(claim)], devices: devicesOf([claim], slices) }))).toEqual({
      planned: ['roomy test-zone-2'],
      rejected: [],
    });
  });

  test.each([[['test-zone-1', 'test-zone-2']], [['test-zone-2', 'test-zone-1']]])(
    'when the devices of its claim are reached from %j and types are in test-zone-2 › there',
    (zones) => {
      const user = usingClaims();
      const held = allocated(claimOf('a', [request('r')]), [], [user]);
      const claim: ResourceClaim = { ...held, status: { ...held.status, allocation: { nodeSelector: selectorOfZones(...zones) } } };
      const instanceTypes = [anInstanceType({ name: 'type', zones: ['test-zone-2'] })];
      expect(answer(aSnapshot({ instanceTypes, pending: [usingClaims(claim)], devices: devicesOf([claim]) }))).toEqual({
        planned: ['type test-zone-2'],
        rejected: [],
      });
    },
  );
});

test('when the last device that nodes of a zone reach is in use › the rejection names the request, and how many are', () => {
  const claims = ['a', 'b', 'c'].map((name) => claimOf(name, [request('r')]));
  const slices = [sliceOf(gpus(2), { nodeSelector: selectorOfZones('test-zone-1') })];
  const { rejected } = answer(
    aSnapshot({
      instanceTypes: [anInstanceType()],
      pending: claims.map((claim) => usingClaims(claim)),
      devices: devicesOf(claims, slices),
    }),
  );
  expect(rejected).toEqual([
    expect.stringMatching(/request r of ResourceClaim default\/\w wants a device of DeviceClass gpu: of 2, 2 are in use, 0 left\)$/),
  ]);
});

describe('when a pod with topology constraints has no place', () => {
  const selector = { matchLabels: { app: 'trainer' } };
  const spread = spreadOver({ maxSkew: 1, topologyKey: ZONE, whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector });
  const apart = awayFrom({ topologyKey: 'kubernetes.io/hostname', labelSelector: selector });
  const rejected = (count: number, ...pending: readonly Pod[]): readonly string[] => {
    const claims = ['a', 'b'].map((name) => claimOf(name, [request('r', { count })]));
    return answer(aSnapshot({ instanceTypes: [typeWith('one', gpus(1))], pending, devices: devicesOf(claims) })).rejected;
  };
  const claim = claimOf('a', [request('r')]);

  test.each([
    ['a spread over zones', spread],
    ['anti-affinity over hosts', apart],
  ])('for lack of devices › the rejection names the request, and not %s that any new node meets', (_, trait) => {
    expect(rejected(2, trait(labelled({ app: 'trainer' })(usingClaims(claim))))).toEqual([
      expect.stringContaining('request r of ResourceClaim default/a wants 2 devices of DeviceClass gpu: of 1, 1 left'),
    ]);
  });

  test('for the claim that it shares with the pod that it must keep apart from › the rejection names the claim', () => {
    const pod = apart(labelled({ app: 'trainer' })(usingClaims(claim)));
    const other = apart(labelled({ app: 'trainer' })(usingClaims(claim)));
    expect(rejected(1, pod, other)).toEqual([expect.stringContaining('other pods use ResourceClaim default/a as well')]);
  });

  test('for its constraints › the rejection names them', () => {
    const nowhere = spreadOver({
      maxSkew: 1,
      topologyKey: 'example.com/rack',
      whenUnsatisfiable: 'DoNotSchedule',
      labelSelector: selector,
    });
    expect(rejected(1, nowhere(labelled({ app: 'trainer' })(usingClaims(claim))))).toEqual([
      expect.stringContaining('topology spread over example.com/rack'),
    ]);
  });
});
