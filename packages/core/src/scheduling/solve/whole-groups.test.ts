import { expect, test } from '@jest/globals';
import { finish } from '../../base/index.ts';
import type { Pod } from '../../kube/index.ts';
import { aPodRequesting } from '../../testing/objects.ts';
import { aQuestion } from '../testing/a-solution.ts';
import { gatheringGroups, solvingWhole } from './pod-groups.ts';
import type { WholeSolution } from './pod-groups.ts';

/** A member of a group: what it requests, and its priority. */
interface Member {
  readonly cpu: string;
  readonly priority?: number;
}

const groupOf = (group: string, minMember: number, members: readonly Member[]): readonly Pod[] =>
  members.map(({ cpu, priority = 0 }, index) =>
    aPodRequesting({ cpu }, `${group}-${index}`, {
      metadata: {
        namespace: 'ml',
        labels: { 'scheduling.x-k8s.io/pod-group': group },
        annotations: { 'karpenter.sh/pod-group-min-member': String(minMember) },
      },
      spec: { priority },
    }),
  );

const machines = [2, 16].map((cpus) => ({ cpus, memoryBytes: 2 ** 34, pricePerHour: cpus }));

interface Asked {
  /** Group → how many of its pods have succeeded. */
  readonly succeeded?: Readonly<Record<string, number>>;
  readonly shouldStop?: () => boolean;
}

const solvedWhole = (pods: readonly Pod[], { succeeded = {}, shouldStop = () => false }: Asked = {}): WholeSolution => {
  const { places, question } = aQuestion(pods, { machines, pool: { limits: { cpu: '4' } }, shouldStop });
  const podGroups = new Map(Object.entries(succeeded).map(([name, count]) => [name, { succeeded: count }]));
  return finish(solvingWhole(places, question, finish(gatheringGroups(question.podSets, { nodes: [], podGroups }))));
};

/** Group and how many of its pods would have had a place, in the order in which the groups were dropped. */
const droppedBy = ({ dropped }: WholeSolution): readonly (readonly [string, number])[] =>
  dropped.map(({ group: { name }, placed }) => [name, placed]);

/** Two members, and room for one of them only: the limit allows no machine for the other. */
const half = (group: string, priority = 0): readonly Pod[] => groupOf(group, 2, [{ cpu: '12' }, { cpu: '100m', priority }]);
/** Two members, and no machine is large enough for one of them. */
const hopeless = (group: string): readonly Pod[] => groupOf(group, 2, [{ cpu: '100' }, { cpu: '100m' }]);

test('when groups lack places › the one of the lowest priority is dropped first, and of equal ones the last', () => {
  const pods = [...half('high', 9), ...half('low-a'), ...half('middle', 5), ...half('low-b')];
  const { dropped, question } = solvedWhole(pods);
  expect(dropped.map(({ group }) => group.name).slice(0, 3)).toEqual(['ml/low-b', 'ml/low-a', 'ml/middle']);
  expect(question.podSets).toEqual([]);
});

test('when more groups lack places than there are rounds › the last round drops the others together', () => {
  const pods = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((name) => half(name));
  expect(droppedBy(solvedWhole(pods))).toEqual(['f', 'e', 'd', 'a', 'b', 'c'].map((name) => [`ml/${name}`, 1]));
});

test('when no machine is large enough for a member › its group goes before others that might have places', () => {
  const { dropped, solution } = solvedWhole([...half('half'), ...hopeless('x'), ...hopeless('y')]);
  expect(dropped.map(({ group }) => group.name)).toEqual(['ml/x', 'ml/y', 'ml/half']);
  expect(dropped.every(({ lacking }) => lacking?.unplaced.count === 1)).toBe(true);
  expect(solution.isOutOfOrder).toBe(true);
});

test('when a group has too few pods › it is not tried, and those that succeeded count', () => {
  const fine = groupOf('fine', 2, [{ cpu: '100m' }, { cpu: '100m' }]);
  const whole = solvedWhole([...fine, ...groupOf('few', 4, [{ cpu: '200m' }, { cpu: '200m' }])], { succeeded: { 'ml/few': 1 } });
  expect(droppedBy(whole)).toEqual([['ml/few', 3]]);
  expect(whole.dropped[0]?.lacking).toBeUndefined();
  expect([whole.question.podSets.length, whole.solution.isOutOfOrder ?? false]).toEqual([1, false]);
  const enough = solvedWhole(groupOf('few', 3, [{ cpu: '200m' }, { cpu: '200m' }]), { succeeded: { 'ml/few': 1 } });
  expect([droppedBy(enough), enough.question.podSets.length]).toEqual([[], 1]);
});

test('when the time is up in any round › groups are whole, and other pods keep the places that they had', () => {
  const single = ['300m', '200m'].map((cpu, index) => aPodRequesting({ cpu }, `job-${index}`, { metadata: { namespace: 'ml' } }));
  const pods = [...half('a'), ...half('b', 5), ...single, ...groupOf('fine', 2, [{ cpu: '250m' }, { cpu: '250m' }])];
  const countLeft = ({ solution: { unplaced }, dropped }: WholeSolution): number =>
    unplaced.reduce((total, { count }) => total + count, 0) +
    dropped.flatMap(({ group: { podSets } }) => podSets.flatMap((each) => each.pods)).length;
  let most = 0;
  const whole = solvedWhole(pods, { shouldStop: () => ++most < 0 });
  const counts = Array.from({ length: most + 1 }, (_, end) => {
    let calls = 0;
    const stopped = solvedWhole(pods, { shouldStop: () => ++calls > end });
    expect(stopped.question.tearsGroup?.(stopped.solution.unplaced)).toBe(false);
    return countLeft(stopped);
  });
  expect([counts[0], countLeft(whole), counts.at(-1)]).toEqual([8, 4, 4]);
  expect(counts).toEqual(counts.toSorted((a, b) => b - a));
});

test('when a variant would place some pods of one group, and too few › it tears the group', () => {
  const [a, b] = ['a', 'b'].map((name) =>
    groupOf(name, 2, [{ cpu: name === 'a' ? '100m' : '200m' }, { cpu: name === 'a' ? '100m' : '200m' }]),
  );
  const { question } = solvedWhole([...(a ?? []), ...(b ?? [])]);
  const [podSet] = question.podSets;
  const tears = (count: number): boolean | undefined => podSet && question.tearsGroup?.([{ podSet, count, wasStopped: false }]);
  expect([0, 1, 2].map(tears)).toEqual([false, true, false]);
});
