import { expect, test } from '@jest/globals';
import { defaultSchedulingPolicy } from '@karpenter/core';
import { proposing } from '@karpenter/core/internal';
import { aNodePool, aSnapshot } from '@karpenter/testkit';
import { eastusTypes } from './eastus.ts';
import { runningNodes, nodesOnSpot } from './running-nodes.ts';

test('settled nodes › a disruption pass asks about each of them', () => {
  const snapshot = aSnapshot({
    nodes: nodesOnSpot(runningNodes(2, 20, 20)),
    instanceTypes: eastusTypes(/^Standard_D16s_v5$/),
    nodePools: [aNodePool()],
  });
  const steps = proposing({ snapshot, policy: defaultSchedulingPolicy, nowMs: Date.now(), shouldStop: () => false });
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const reasons = [...step.value.blocked.values()].map(({ kind }) => kind);
  expect(reasons).toHaveLength(2);
  expect(reasons).not.toContain('consolidate-after');
});
