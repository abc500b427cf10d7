import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import type { ClusterSnapshot, Plan, Pod, SchedulingPolicy } from '@karpenter/core';
import { describe, expect, test } from '@jest/globals';
import {
  anInstanceType,
  aNodePool,
  aPod,
  aSnapshot,
  awayFrom,
  labelled,
  ratherAwayFrom,
  requesting,
  spreadOver,
} from '../builders/index.ts';
import type { PodTrait } from '../builders/index.ts';
import { validatePlan } from './validate-plan.ts';

const MIB = 1024 ** 2;
const policy = defaultSchedulingPolicy;
const firstFit: SchedulingPolicy = { ...policy, packing: 'first-fit' };
const host = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';
const of = (app: string): { readonly labelSelector: { readonly matchLabels: Readonly<Record<string, string>> } } => ({
  labelSelector: { matchLabels: { app } },
});

/** The larger a type, the more a cpu of it costs, as clouds sell them. */
const instanceTypes = Array.from({ length: 64 }, (_, index) => {
  const cpus = index + 1;
  return anInstanceType({ name: `type-${cpus}`, cpus, memoryBytes: cpus * 2048 * MIB, pricePerHour: 0.05 * cpus ** 1.2 });
});

/** Pods of many sizes that go together badly when the largest come first. */
const assorted = (count: number, app: string, ...traits: readonly PodTrait[]): readonly Pod[] =>
  Array.from({ length: count }, (_, index) => {
    const size = requesting({ cpuMillis: [100, 500, 1500][index % 3] ?? 0, memoryBytes: ([4096, 512, 128, 2048][index % 4] ?? 0) * MIB });
    return traits.reduce((pod, trait) => trait(pod), aPod(size, labelled({ app })));
  });

const bothPackings = (pending: readonly Pod[]): { readonly snapshot: ClusterSnapshot; readonly cheap: Plan; readonly fit: Plan } => {
  const snapshot = aSnapshot({ pending, instanceTypes, nodePools: [aNodePool()] });
  return { snapshot, cheap: simulate(snapshot, policy, () => false), fit: simulate(snapshot, firstFit, () => false) };
};

const saved = ({ cheap, fit }: ReturnType<typeof bothPackings>): number => 1 - cheap.pricePerHour / fit.pricePerHour;

describe('nodes of pods that care where others are', () => {
  const alone = awayFrom({ topologyKey: host, ...of('lonely') });
  const overHosts = spreadOver({ topologyKey: host, maxSkew: 2, whenUnsatisfiable: 'DoNotSchedule', ...of('web') });
  const overZones = spreadOver({ topologyKey: zone, maxSkew: 1, whenUnsatisfiable: 'DoNotSchedule', ...of('web') });

  test.each<[string, readonly Pod[]]>([
    ['one to a host, among others', [...assorted(30, 'lonely', alone), ...assorted(120, 'other')]],
    ['spread over hosts, among others', [...assorted(60, 'web', overHosts), ...assorted(90, 'other')]],
    ['a few of them one to a host, among many others', [...assorted(3, 'lonely', alone), ...assorted(800, 'other')]],
    ['spread over zones', assorted(150, 'web', overZones)],
    ['spread over zones, among others', [...assorted(60, 'web', overZones), ...assorted(90, 'other')]],
    ['all of these', [...assorted(30, 'lonely', alone), ...assorted(60, 'web', overHosts), ...assorted(60, 'web', overZones)]],
  ])('%s: they are packed for less, and by the same rules', (_, pending) => {
    const solved = bothPackings(pending);
    expect(solved.cheap.rejections).toEqual([]);
    expect(validatePlan(solved.snapshot, policy, solved.cheap)).toEqual([]);
    expect(saved(solved)).toBeGreaterThan(0.05);
  });

  test('a preference to be alone on a host is not traded for a lower price', () => {
    const shy = ratherAwayFrom(1, { topologyKey: host, ...of('shy') });
    const { cheap } = bothPackings([...assorted(20, 'shy', shy), ...assorted(80, 'other')]);
    expect(cheap.plannedNodes.every(({ pods }) => pods.filter(({ metadata }) => metadata.labels?.['app'] === 'shy').length <= 1)).toBe(
      true,
    );
  });

  test('pods that would rather be alone on a host are packed for less than first-fit packs them', () => {
    const shy = ratherAwayFrom(1, { topologyKey: host, ...of('shy') });
    const solved = bothPackings([...assorted(30, 'shy', shy), ...assorted(170, 'other')]);
    expect(validatePlan(solved.snapshot, policy, solved.cheap)).toEqual([]);
    expect(saved(solved)).toBeGreaterThan(0.05);
    const together = ({ pods }: Plan['plannedNodes'][number]): number =>
      Math.max(0, pods.filter(({ metadata }) => metadata.labels?.['app'] === 'shy').length - 1);
    expect(solved.cheap.plannedNodes.reduce((sum, node) => sum + together(node), 0)).toBe(0);
  });
});

test('when each node costs a license › the plan has fewer and larger machines, though these cost more', () => {
  const sold = [
    anInstanceType({ name: 'small', cpus: 4, pricePerHour: 0.1 }),
    anInstanceType({ name: 'large', cpus: 16, pricePerHour: 0.5 }),
  ];
  const pending = assorted(4, 'web').map(requesting({ cpuMillis: 3500 }));
  const snapshot = aSnapshot({ pending, instanceTypes: sold, nodePools: [aNodePool()] });
  const namesFor = (nodePricePerHour: number): readonly string[] =>
    simulate(snapshot, { ...policy, nodePricePerHour }).plannedNodes.map(({ cheapest }) => cheapest.instanceType.name);
  expect(namesFor(0)).toEqual(['small', 'small', 'small', 'small']);
  expect(namesFor(0.1)).toEqual(['large']);
});

describe('of two mixes of machines that could carry all pods', () => {
  /** Two pods fill a large machine, one a small; all pods on one sort of huge machines would cost most. */
  const machinesFor = (largePricePerHour: number): readonly string[] => {
    const sold = (
      [
        ['small', 4, 0.2],
        ['large', 8, largePricePerHour],
        ['huge', 32, 4],
      ] as const
    ).map(([name, cpus, pricePerHour]) =>
      anInstanceType({ name, cpus, offerings: [{ zone: 'test-zone-1', capacityType: 'on-demand', pricePerHour }] }),
    );
    const pending = assorted(160, 'web').map(requesting({ cpuMillis: 3500, memoryBytes: 512 * MIB }));
    const snapshot = aSnapshot({ pending, instanceTypes: sold, nodePools: [aNodePool()] });
    return [...new Set(simulate(snapshot, policy).plannedNodes.map(({ cheapest }) => cheapest.instanceType.name))];
  };

  test('the one with fewer nodes is planned where each further node would save less than a cent an hour', () =>
    expect(machinesFor(2 * 0.2 + 0.0075)).toEqual(['large']));

  test('the cheaper one is planned where each further node saves more than a cent an hour', () =>
    expect(machinesFor(2 * 0.2 + 0.0125)).toEqual(['small']));
});
