import { describe, expect, jest, test } from '@jest/globals';
import { finish } from '../base/index.ts';
import { aBareSnapshot } from '../cluster/testing/a-bare-cluster.ts';
import type { NodeView } from '../cluster/index.ts';
import type { Pod, Resources } from '../kube/index.ts';
import { aPodRequesting } from '../testing/objects.ts';
import { compilingSnapshot } from './compiled-snapshot.ts';
import type { Plan } from './planned-node.ts';
import { defaultSchedulingPolicy } from './policy.ts';
import { aQuestion, aRoomyNode } from './testing/a-solution.ts';
import { createWhatIf, simulate } from './what-if.ts';

/** So many resources, two of each, that no instance type has. */
const devices = (count: number): Resources => Object.fromEntries(Array.from({ length: count }, (_, index) => [`example.com/d${index}`, 2]));

const stating = (name: string, count: number): NodeView => {
  const node = aRoomyNode(name, 4);
  return { ...node, allocatable: { ...node.allocatable, ...devices(count) } };
};

const machines = [{ cpus: 4, memoryBytes: 2 ** 34, pricePerHour: 1 }];

const podRequestingDevice = (device: string, name = 'p'): Pod => aPodRequesting({ cpu: '1', [device]: '1' }, name);

/** Resource columns of a plan in which a node states so many resources. */
const columnsBeside = (count: number, pendingPods: readonly Pod[] = []): number =>
  aQuestion(pendingPods, { nodes: [stating('n', count)], machines }).places.existing.resourceCount;

const planBeside = (pod: Pod): Plan => simulate(aBareSnapshot({ nodes: [stating('n', 5000)], pendingPods: [pod] }));

/** Node → names of the pods placed there. */
const placedOn = ({ placements }: Plan): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries([...placements].map(([node, pods]) => [node, pods.map(({ metadata: { name } }) => name)]));

describe('when a node states thousands of resources that no instance type has', () => {
  test('a plan has no column for those that no pod requests', () => expect(columnsBeside(5000)).toBe(columnsBeside(0)));

  test('it has one for each that a pending pod requests', () =>
    expect(columnsBeside(5000, [podRequestingDevice('example.com/d7'), podRequestingDevice('example.com/d4999')])).toBe(
      columnsBeside(0) + 2,
    ));

  test('a pod that requests one is placed there', () =>
    expect(placedOn(planBeside(podRequestingDevice('example.com/d4999')))).toEqual({ n: ['p'] }));

  test('a pod that requests more of one than there is is rejected', () =>
    expect(planBeside(aPodRequesting({ 'example.com/d1': '3' })).rejections).toHaveLength(1));

  test('a pod with one of them is moved to another node that has it', () => {
    const nodes = [{ ...stating('a', 5000), pods: [podRequestingDevice('example.com/d9', 'moved')] }, stating('b', 5000)];
    const plan = createWhatIf(aBareSnapshot({ nodes }), defaultSchedulingPolicy).ask(new Set(['a']));
    expect(placedOn(plan)).toEqual({ b: ['moved'] });
  });
});

test('a few that no pod requests have columns, for hints name them', () => expect(columnsBeside(5)).toBe(columnsBeside(0) + 5));

test('the pods of nodes that no question takes away are not read', () => {
  const nodes = [{ ...stating('a', 5000), pods: [podRequestingDevice('example.com/d9', 'stays')] }];
  const { places } = finish(compilingSnapshot(aBareSnapshot({ nodes }), defaultSchedulingPolicy, new Set()));
  expect(places.existing.resourceCount).toBe(3);
});

test('of two hundred nodes that each state thousands, no step reads more than a few', () => {
  let [listed, most] = [0, 0];
  const ownKeys = (target: Resources): string[] => {
    listed++;
    return Object.keys(target);
  };
  const nodes = Array.from({ length: 200 }, (_, index) => {
    const node = stating(`n-${index}`, 2000);
    return { ...node, allocatable: new Proxy(node.allocatable, { ownKeys }) };
  });
  const compiling = compilingSnapshot(
    aBareSnapshot({ nodes, pendingPods: [podRequestingDevice('example.com/d7')] }),
    defaultSchedulingPolicy,
  );
  for (let step = compiling.next(); step.done !== true; step = compiling.next()) {
    most = Math.max(most, listed);
    listed = 0;
  }
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(16);
});

test('of a node whose pods each request thousands, no step reads more than a few', () => {
  let [listed, most] = [0, 0];
  const ownKeys = (target: Readonly<Record<string, string>>): string[] => {
    listed++;
    return Object.keys(target);
  };
  const requesting = (_: unknown, index: number): Pod => {
    const requests = new Proxy(Object.fromEntries(Object.keys(devices(2000)).map((name) => [`${name}-${index}`, '1'])), { ownKeys });
    const pod = aPodRequesting({}, `p-${index}`);
    return { ...pod, spec: { ...pod.spec, containers: [{ name: 'main', resources: { requests } }] } };
  };
  const nodes = [{ ...aRoomyNode('n', 4), pods: Array.from({ length: 100 }, requesting) }];
  const compiling = compilingSnapshot(aBareSnapshot({ nodes, pendingPods: [aPodRequesting({ cpu: '1' })] }), defaultSchedulingPolicy);
  for (let step = compiling.next(); step.done !== true; step = compiling.next()) {
    most = Math.max(most, listed);
    listed = 0;
  }
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(4);
});

test('the resources of a node are judged once, not in each plan', () => {
  const judging = jest.spyOn(Number, 'isFinite');
  const judgedIn = (): number => {
    const before = judging.mock.calls.length;
    simulate(snapshot);
    return judging.mock.calls.length - before;
  };
  const snapshot = aBareSnapshot({ nodes: [stating('n', 5000)] });
  const [first, second] = [judgedIn(), judgedIn()];
  judging.mockRestore();
  expect(first).toBeGreaterThanOrEqual(5000);
  expect(second).toBeLessThan(100);
});
