import { type ClusterSnapshot, defaultSchedulingPolicy, type Plan, type SchedulingPolicy, simulate } from '@karpenter/core';
import { createWhatIf, planning, type Steps } from '@karpenter/core/internal';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { aHandful, aSnapshotOf, reorder, reorderThroughout } from '../arbitraries/index.ts';
import { lawRuns } from './testing/law-runs.ts';
import { validatePlan } from './validate-plan.ts';
import { validatedPlan } from './testing/validated-plan.ts';
import { frozen } from './testing/frozen.ts';

const never = (): boolean => false;
/**
 * Large ones of every sort, and small ones whose pods ask so much of each other that some have to lead where others follow.
 */
const snapshots = fc.oneof({ weight: 3, arbitrary: aSnapshotOf({ pods: 24, types: 6 }) }, { weight: 1, arbitrary: aHandful });
const policies: readonly SchedulingPolicy[] = [
  defaultSchedulingPolicy,
  { ...defaultSchedulingPolicy, packing: 'first-fit' },
  { ...defaultSchedulingPolicy, preferences: 'Ignore' },
  { ...defaultSchedulingPolicy, preferences: 'Weigh' },
];

/** What a plan says, without the identity of arrays. */
const summaryOf = (plan: Plan): unknown => ({
  planned: plan.plannedNodes.map(({ nodePoolName, pods, instanceTypes, claim }) => [
    nodePoolName,
    pods.map(({ metadata }) => metadata.name),
    instanceTypes.map(({ name }) => name),
    claim,
  ]),
  placements: [...plan.placements].map(([node, pods]) => [node, pods.map(({ metadata }) => metadata.name)]),
  rejections: plan.rejections.map(({ pod, reason }) => [pod.metadata.name, reason]),
  pricePerHour: plan.pricePerHour,
});

/**
 * Runs two pieces of work in turns: `first` goes on once for each `true`, `second` for each `false`, and both to the
 * end after that.
 */
const interleaved = <T>(first: Steps<T>, second: Steps<T>, turns: readonly boolean[]): readonly [T | undefined, T | undefined] => {
  const results: [T | undefined, T | undefined] = [undefined, undefined];
  const go = (index: 0 | 1): boolean => {
    const step = (index === 0 ? first : second).next();
    if (step.done === true) results[index] ??= step.value;
    return step.done === true;
  };
  for (const isFirst of turns) go(isFirst ? 0 : 1);
  while (!go(0)) continue;
  while (!go(1)) continue;
  return results;
};

describe.each(policies)('simulate ($packing, $preferences)', (policy) => {
  /** How often a law is tried: plans are searched, so all four policies in full would take minutes. First fit costs little. */
  const runs = (most: { readonly usual: number; readonly all: number }): { readonly numRuns: number } => {
    const { numRuns } = lawRuns(most);
    return { numRuns: policy === defaultSchedulingPolicy || policy.packing === 'first-fit' ? numRuns : Math.ceil(numRuns / 4) };
  };

  // One law, since the plan that all others must equal is what costs.
  test('gives the same plan whatever the order, also in turns with another, and changes nothing of its input', () => {
    fc.assert(
      fc.property(snapshots, fc.nat(20), fc.array(fc.boolean(), { maxLength: 120 }), (snapshot, seed, turns) => {
        const whole = summaryOf(simulate(structuredClone(snapshot), policy));
        expect(summaryOf(simulate(reorderThroughout(snapshot, seed), policy))).toEqual(whole);
        const shared = frozen(structuredClone(snapshot));
        const plans = interleaved(planning(shared, policy, never), planning(reorder(shared, seed), policy, never), turns);
        for (const plan of plans) expect(plan && summaryOf(plan)).toEqual(whole);
      }),
      runs({ usual: 20, all: 50 }),
    );
  });

  test('answers any number of what-if questions as if each were the first, also after one that was aborted halfway', () => {
    const questions = fc.array(fc.uniqueArray(fc.nat(3), { maxLength: 3 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(snapshots, fc.nat(60), questions, (snapshot, steps, asked) => {
        const whatIf = createWhatIf(snapshot, policy);
        const aborted = whatIf.asking(new Set(['node-0']));
        for (let step = 0; step < steps; step++) aborted.next();
        aborted.return(undefined as never);
        for (const question of asked) {
          const without = new Set(question.map((node) => `node-${node}`));
          const answer = whatIf.ask(without);
          expect(summaryOf(answer)).toEqual(summaryOf(simulate(snapshot, { ...policy, without })));
          expect(validatePlan(snapshot, { ...policy, without }, answer)).toEqual([]);
        }
      }),
      runs({ usual: 20, all: 50 }),
    );
  });
});

/** The plan, once it was found to break no rule. */
const validPlan = (snapshot: ClusterSnapshot, policy: SchedulingPolicy): Plan => {
  return validatedPlan(snapshot, policy);
};

describe('plans break no rule of Kubernetes and none of a NodePool', () => {
  test('of the cheapest packing, which leaves no more pods over than first-fit, and with as many placed costs no more', () => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        const cheapest = validPlan(snapshot, defaultSchedulingPolicy);
        const firstFit = validPlan(snapshot, { ...defaultSchedulingPolicy, packing: 'first-fit' });
        expect(cheapest.rejections.length).toBeLessThanOrEqual(firstFit.rejections.length);
        if (cheapest.rejections.length === firstFit.rejections.length) {
          expect(cheapest.pricePerHour).toBeLessThanOrEqual(firstFit.pricePerHour + 1e-9);
        }
      }),
      lawRuns({ usual: 100, all: 240 }),
    );
  });

  test.each(['Ignore', 'Weigh'] as const)('where preferences are "%s"', (preferences) => {
    fc.assert(
      fc.property(snapshots, (snapshot) => {
        validPlan(snapshot, { ...defaultSchedulingPolicy, preferences });
      }),
      lawRuns({ usual: 25, all: 60 }),
    );
  });
});

/** The same cluster without one of its instance types. */
const withoutType = (snapshot: ClusterSnapshot, name: string): ClusterSnapshot => ({
  ...snapshot,
  nodePools: snapshot.nodePools.map((view) => ({ ...view, instanceTypes: view.instanceTypes.filter((type) => type.name !== name) })),
});

test('one more instance type leaves no more pods over, and with as many placed the plan costs at most a third more', () => {
  fc.assert(
    fc.property(aSnapshotOf({ pods: 16, types: 6 }), fc.nat(5), (snapshot, index) => {
      const policy: SchedulingPolicy = { ...defaultSchedulingPolicy, preferences: 'Ignore' };
      const more = simulate(snapshot, policy);
      const fewer = simulate(withoutType(snapshot, `type-${index}`), policy);
      expect(more.rejections.length).toBeLessThanOrEqual(fewer.rejections.length);
      // Both are searches, and which plan a search ends with depends on what is on offer: docs/scheduling-coverage.md
      // has the measured share.
      if (more.rejections.length === fewer.rejections.length) expect(more.pricePerHour).toBeLessThanOrEqual((fewer.pricePerHour * 4) / 3);
    }),
    lawRuns({ usual: 20, all: 40 }),
  );
});

test('a decision that is stopped leaves every pod that was not checked rejected as stopped, but for those that no place could help', () => {
  fc.assert(
    fc.property(snapshots, (snapshot) => {
      const plan = simulate(snapshot, defaultSchedulingPolicy, () => true);
      expect(plan.plannedNodes).toEqual([]);
      expect(validatePlan(snapshot, defaultSchedulingPolicy, plan)).toEqual([]);
      const sound = plan.rejections.filter(({ reason }) => reason.kind !== 'invalid-pod');
      expect(sound.every(({ reason }) => reason.kind === 'stopped')).toBe(true);
    }),
  );
});
