import { type ClusterSnapshot, defaultSchedulingPolicy, type Plan, type Pod, simulate } from '@karpenter/core';
import type { BufferView } from '@karpenter/core/internal';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aHandful, aSnapshotOf } from '../arbitraries/index.ts';
import { lawRuns } from './testing/law-runs.ts';
import { validatePlan } from './validate-plan.ts';

const snapshots = fc.oneof({ weight: 2, arbitrary: aSnapshotOf({ pods: 16, types: 6 }) }, { weight: 1, arbitrary: aHandful });

const bufferOf = (virtualPods: readonly Pod[]): BufferView => ({
  buffer: {
    ...{
      apiVersion: 'autoscaling.x-k8s.io/v1beta1',
      kind: 'CapacityBuffer',
      metadata: { name: 'spare', namespace: 'default', uid: 'spare' },
    },
    spec: { podTemplateRef: { name: 'chunk' } },
  },
  virtualPods,
});

/** A buffer's pod has no claims. */
const withoutVolumes = ({ spec: { volumes: _, ...spec }, ...pod }: Pod): Pod => ({ ...pod, spec });

/** The snapshot with every second pending pod as a virtual pod of a buffer. */
const halved = ({ pendingPods, ...snapshot }: ClusterSnapshot) => {
  const real = pendingPods.filter((_, index) => index % 2 === 0);
  const virtual = pendingPods.filter((_, index) => index % 2 === 1).map(withoutVolumes);
  const alone: ClusterSnapshot = { ...snapshot, pendingPods: real };
  const buffers = virtual.length > 0 ? { buffers: [bufferOf(virtual)] } : {};
  return { alone, buffered: { ...alone, ...buffers }, asPending: { ...alone, pendingPods: [...real, ...virtual] } };
};

const placedOf = (plan: Plan, pods: readonly Pod[]): number => {
  const rejected = new Set(plan.rejections.map(({ pod }) => pod));
  return pods.filter((pod) => !rejected.has(pod)).length;
};

test('a plan with buffers is sound for their pods as for all others', () => {
  fc.assert(
    fc.property(snapshots, (snapshot) => {
      const { buffered, asPending } = halved(snapshot);
      expect(validatePlan(asPending, defaultSchedulingPolicy, simulate(buffered, defaultSchedulingPolicy))).toEqual([]);
    }),
    lawRuns({ usual: 60, all: 100 }),
  );
});

test('no pod that exists loses its place to a buffer', () => {
  fc.assert(
    fc.property(snapshots, (snapshot) => {
      const { alone, buffered } = halved(snapshot);
      const placedIn = (given: ClusterSnapshot): number => placedOf(simulate(given, defaultSchedulingPolicy), alone.pendingPods);
      expect(placedIn(buffered)).toBeGreaterThanOrEqual(placedIn(alone));
    }),
    lawRuns({ usual: 50, all: 100 }),
  );
});
