import { describe, expect, test } from '@jest/globals';
import { milestonesOf } from './milestones.ts';
import type { NodePhase, NodeSight, Sight } from '../screen/sight.ts';
import { steps } from './step.ts';
import { summaryOf } from './summary.ts';

const nodeIn = (phase: NodePhase, name = 'n1'): NodeSight => ({
  name,
  phase,
  sku: 'Standard_D8s_v5',
  zone: 'eastus-1',
  capacityType: 'on-demand',
  ageMs: 0,
  pods: 0,
  cpuShare: 0,
  pricePerHour: 0.4,
});

const sight = (pending: number, running: number, nodes: readonly NodeSight[]): Sight => ({
  pods: { pending, starting: 0, running, ended: 0 },
  nodes,
});

const [toFive] = steps;
if (!toFive) throw new Error('there are no steps');

describe('a step', () => {
  test('is measured from the scaling to the launch, to the binding, to the end', () => {
    const milestones = milestonesOf(toFive, sight(0, 0, []), 1_000);
    expect(milestones.see(sight(5, 0, [nodeIn('launching')]), 2_000)).toBe(false);
    expect(milestones.see(sight(5, 0, [nodeIn('starting')]), 3_000)).toBe(false);
    const allBound: Sight = { pods: { pending: 0, starting: 2, running: 3, ended: 0 }, nodes: [nodeIn('starting')] };
    expect(milestones.see(allBound, 6_000)).toBe(false);
    expect(milestones.see(sight(0, 5, [nodeIn('ready')]), 7_000)).toBe(true);
    expect(milestones.result()).toEqual({
      step: toFive,
      firstLaunchMs: 2_000,
      allBoundMs: 5_000,
      doneMs: 6_000,
      pricePerHour: { before: 0, after: 0.4 },
    });
  });

  test('a node that was there before is no launch', () => {
    const milestones = milestonesOf(toFive, sight(0, 0, [nodeIn('starting')]), 0);
    milestones.see(sight(5, 0, [nodeIn('starting')]), 10);
    expect(milestones.result().firstLaunchMs).toBeUndefined();
  });

  test('that failed says why in the summary', () => {
    const result = milestonesOf(toFive, sight(0, 0, []), 0).result('not true after 180 s');
    expect(summaryOf([result], 0)).toContain('  ✘ scale inflate to 5: not true after 180 s');
  });
});
