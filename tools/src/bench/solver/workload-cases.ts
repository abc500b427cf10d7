import type { ClusterSnapshot, Pod } from '@karpenter/core';
import { aNodePool, aSnapshot, assortedInstanceTypes } from '@karpenter/testkit';
import type { Figure } from '../report.ts';
import { checkSound } from './check-plan.ts';
import { priceFigures, timeFigures } from './plan-figures.ts';
import { cheapest, firstFit } from './policies.ts';
import { medianOfThree, timedPlan } from './timed-plan.ts';
import { genericPods, logNormalPods, mixedPods, preferringPods, solitaryPods } from '../inputs/workloads.ts';

const types = assortedInstanceTypes(400);
const vast = aNodePool({ limits: { cpu: '10000000', memory: '10000000Gi' } });
const snapshotOf = (pending: readonly Pod[], nodePool = vast): ClusterSnapshot =>
  aSnapshot({ pending, instanceTypes: types, nodePools: [nodePool] });

const rowOf = async (name: string, pods: readonly Pod[], atLeast?: number): Promise<readonly Figure[]> => {
  const snapshot = snapshotOf(pods);
  const cheap = medianOfThree(snapshot, cheapest);
  const fit = medianOfThree(snapshot, firstFit);
  return [
    ...timeFigures(`${name}, cheapest`, cheap, pods.length).map((figure) =>
      atLeast !== undefined && figure.unit === 'pods/s' ? { ...figure, atLeast } : figure,
    ),
    ...(await priceFigures(`${name}, cheapest`, cheap, { pods, types })),
    ...timeFigures(`${name}, first-fit`, fit, pods.length).filter(({ unit }) => unit === 'pods/s'),
    { case: `${name}: price over first-fit`, figure: (cheap.plan.pricePerHour / fit.plan.pricePerHour - 1) * 100, unit: '%', atMost: 0 },
  ];
};

/** The least required of 20,000 pods. */
const PODS_A_SECOND = 50_000;

/** The original's benchmark mix, and its generic fifth alone, with so many pods. */
export const mix = (count: number) => (): Promise<readonly Figure[]> =>
  rowOf(`mix, 400 types, ${count} pods`, mixedPods(count), count === 20_000 ? PODS_A_SECOND : undefined);
export const generic = (count: number) => (): Promise<readonly Figure[]> =>
  rowOf(`generic fifth, 400 types, ${count} pods`, genericPods(count), count === 20_000 ? PODS_A_SECOND : undefined);

export const solitary = (): Promise<readonly Figure[]> => rowOf('5,000 pods with anti-affinity over hosts', solitaryPods(5000), 25_000);

export const distinct = (): Promise<readonly Figure[]> => rowOf('10,000 pods, hardly two alike', logNormalPods(10_000));

/** Preferences are no constraints, so the bound says little. */
export const preferences = (): readonly Figure[] => {
  const name = '4,000 pods with a preferred zone and preferred anti-affinity';
  return [true, false].flatMap((areRespected) => {
    const how = { ...cheapest, preferences: areRespected ? ('Respect' as const) : ('Ignore' as const) };
    const run = medianOfThree(snapshotOf(preferringPods(4000)), how);
    return [
      ...timeFigures(`${name}, ${how.preferences}`, run, 4000).map((figure) =>
        figure.unit === 'pods/s' ? { ...figure, atLeast: 20_000 } : figure,
      ),
      { case: `${name}, ${how.preferences}: nodes`, figure: run.plan.plannedNodes.length, unit: 'nodes' },
    ];
  });
};

/** 15,000 pods at once for a pool that has room for some thousand of them, and again with the same objects. */
export const flood = (): readonly Figure[] => {
  const pool = aNodePool({ limits: { cpu: '1000' } });
  const snapshot = snapshotOf(mixedPods(15_000), pool);
  const first = timedPlan(snapshot, cheapest);
  const again = timedPlan(snapshot, cheapest);
  checkSound(snapshot, cheapest, first.plan);
  const name = '15,000 pods of the mix, a pool at its limit';
  return [
    ...timeFigures(name, first, 15_000),
    { case: `${name}: pods left over`, figure: first.plan.rejections.length, unit: 'pods' },
    { case: `${name}: asked again, nothing having changed`, figure: again.ms, unit: 'ms' },
  ];
};
