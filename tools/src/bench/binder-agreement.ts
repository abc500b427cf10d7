import { defaultSchedulingPolicy, simulate } from '@karpenter/core';
import { aSnapshotOf, bindPlan, manyVolumes, someHoldings, whyPending } from '@karpenter/testkit';
import type { BindOptions } from '@karpenter/testkit';
import fc from 'fast-check';

/**
 * How often kube-scheduler, left to itself, binds every pod of a plan to the nodes as launched, over many random
 * clusters; and why it does not where it does not. `pnpm bench:binder [clusters] [seed]`.
 */
const clusters = Number(process.argv[2] ?? 1000);
const seed = Number(process.argv[3] ?? 1);

const measure = async (options: BindOptions, holdings = someHoldings): Promise<Readonly<Record<string, number>>> => {
  const found = {
    clusters: 0,
    'with pods pending': 0,
    pods: 0,
    'pods pending': 0,
    room: 0,
    'of it for volumes': 0,
    company: 0,
    volume: 0,
    rules: 0,
  };
  for (const snapshot of fc.sample(aSnapshotOf({ pods: 24, types: 6, holdings }), { numRuns: clusters, seed })) {
    const plan = simulate(snapshot, defaultSchedulingPolicy, () => false);
    const placed = [...plan.plannedNodes.map(({ pods }) => pods), ...plan.placements.values()].reduce((sum, { length }) => sum + length, 0);
    if (placed === 0) continue;
    const pending = await bindPlan(snapshot, plan, options);
    found.clusters++;
    found.pods += placed;
    found['pods pending'] += pending.length;
    if (pending.length > 0) found['with pods pending']++;
    for (const each of pending) {
      found[whyPending(each, snapshot)]++;
      if (each.message.includes('max volume count')) found['of it for volumes']++;
    }
  }
  return found;
};

console.log(`seed ${seed}`);
console.table({
  'by name': await measure({ arrival: 'by-name' }),
  'largest first': await measure({ arrival: 'largest-first' }),
  'by name, nominated': await measure({ arrival: 'by-name', nominates: true }),
  'largest first, nominated': await measure({ arrival: 'largest-first', nominates: true }),
  'largest first, a volume for every pod': await measure({ arrival: 'largest-first' }, manyVolumes),
  'the same, nominated': await measure({ arrival: 'largest-first', nominates: true }, manyVolumes),
});
