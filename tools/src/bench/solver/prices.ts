import type { Pod } from '@karpenter/core';
import { aNodePool, aSnapshot } from '@karpenter/testkit';
import { eastusTypes } from '../inputs/eastus.ts';
import type { Figure } from '../report.ts';
import { checkComplete } from './check-plan.ts';
import { priceFigures } from './plan-figures.ts';
import { cheapest, firstFit } from './policies.ts';
import { timedPlan } from './timed-plan.ts';
import { genericPods, logNormalPods, mixedPods, openbPods } from '../inputs/workloads.ts';

const workloads: Readonly<Record<string, (count: number) => readonly Pod[]>> = {
  lognormal: logNormalPods,
  'openb sizes': openbPods,
  'mix, generic fifth': genericPods,
  'mix, all five fifths': mixedPods,
};

/** How far above the bound plans for so many pods come, with the sizes of eastus that most clusters use. */
export const prices = (count: number) => async (): Promise<readonly Figure[]> => {
  const types = eastusTypes(/^Standard_[DEF]\d/);
  const figures: Figure[] = [];
  for (const [workload, podsOf] of Object.entries(workloads)) {
    const pods = podsOf(count);
    const snapshot = aSnapshot({ pending: pods, instanceTypes: types, nodePools: [aNodePool()] });
    const name = `${workload}, ${count} pods, eastus D+E+F`;
    for (const [how, policy] of Object.entries({ 'first-fit': firstFit, cheapest })) {
      const run = timedPlan(snapshot, policy);
      checkComplete(snapshot, policy, run.plan);
      for (const figure of await priceFigures(`${name}, ${how}`, run, { pods, types }))
        figures.push(policy === cheapest && figure.unit === '%' && count >= 500 ? { ...figure, atMost: 8 } : figure);
      figures.push({ case: `${name}, ${how}: time`, figure: run.ms, unit: 'ms' });
    }
  }
  return figures;
};
