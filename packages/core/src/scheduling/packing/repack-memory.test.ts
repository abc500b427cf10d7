import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import { labelRequirements } from '../../requirements/index.ts';
import type { NodeTerm } from '../pod-classes/node-term.ts';
import type { PodClass } from '../pod-classes/pod-class.ts';
import { nextState } from '../nodes/node-state.ts';
import type { NewNode } from '../nodes/new-nodes/new-node.ts';
import { openInState } from '../nodes/new-nodes/new-node.ts';
import type { Checks } from '../topology/group.ts';
import type { PodBatch } from './pod-batch.ts';
import { RepackMemory } from './repack-group.ts';
import type { RepackInput } from './repack-group.ts';
import { anywhere, aPodBatch } from './testing/a-pod-batch.ts';
import { aStart } from './testing/a-start.ts';

const GIB = 2 ** 30;
const start = aStart({ cpus: 4, memoryBytes: 16 * GIB, pricePerHour: 0.2 }, { cpus: 8, memoryBytes: 32 * GIB, pricePerHour: 0.4 });
const batch = (id: number, count: number, rest: Partial<PodBatch> = {}): PodBatch => {
  const plain = aPodBatch(count, 1000, GIB);
  return { ...plain, podClass: { ...plain.podClass, id }, ...rest };
};
/** A node with one pod of the size. */
const node = (cpuMillis: number): NewNode => {
  const { resourceIds, amounts } = aPodBatch(1, cpuMillis, GIB);
  const podClass = { resourceIds, amounts } as Partial<PodClass> as PodClass;
  const newNode = openInState(start, { podClass, term: anywhere }, start.template.everyType);
  if (newNode === undefined) throw new Error('The pod fits no machine');
  return newNode;
};
const [small, large] = [node(1000), node(6000)];
const checks: Partial<Checks> = {};
const usual: RepackInput = {
  repackGroup: { start, signature: 'zone 1', newNodes: [small], isAllowed: () => true },
  batches: [batch(1, 2), batch(2, 1)],
  tries: 1000,
  others: [],
};

describe('what was packed before', () => {
  test('is known again for equal nodes that are other objects', () => {
    const memory = new RepackMemory([]);
    memory.remember(memory.keyOf(usual), [large], [small]);
    const again = { ...usual, repackGroup: { ...usual.repackGroup, newNodes: [node(1000)] }, batches: [batch(1, 2), batch(2, 1)] };
    expect(memory.recall(memory.keyOf(again), again.repackGroup.newNodes)).toEqual([large]);
  });

  test('is known again where pods are led to the zone that all nodes of the group are in', () => {
    const inZone = (zone: string): NodeTerm => ({ ...anywhere, text: zone, requirements: labelRequirements({ [labels.zone]: zone }) });
    const machine = { cpus: 4, memoryBytes: 16 * GIB, pricePerHour: 0.2, zones: ['z1', 'z2'] };
    const within = nextState(aStart(machine), inZone('z1'));
    if (within === undefined) throw new Error('There are machines in the zone');
    const of = (first: NodeTerm, second = first, state = within): RepackInput => ({
      ...usual,
      repackGroup: { ...usual.repackGroup, start: state },
      batches: [batch(1, 2, { terms: [first] }), batch(2, 1, { terms: [second] })],
    });
    const memory = new RepackMemory([]);
    memory.remember(memory.keyOf(of(anywhere)), [large], [small]);
    const isKnown = (input: RepackInput): boolean => memory.recall(memory.keyOf(input), [small]) !== undefined;
    expect([isKnown(of(inZone('z1'))), isKnown(of(inZone('z1'), anywhere)), isKnown(of(anywhere, anywhere, aStart(machine)))]).toEqual([
      ...[true, false, false],
    ]);
  });

  test('gives a group its own nodes where none were cheaper', () => {
    const memory = new RepackMemory([]);
    memory.remember(memory.keyOf(usual), usual.repackGroup.newNodes, usual.repackGroup.newNodes);
    const own = [node(1000)];
    expect(memory.recall(memory.keyOf(usual), own)).toBe(own);
  });

  test.each<[string, RepackInput]>([
    ['other counts', { ...usual, batches: [batch(1, 3), batch(2, 1)] }],
    ['another order of pods', { ...usual, batches: [batch(2, 1), batch(1, 2)] }],
    ['other terms', { ...usual, batches: [batch(1, 2, { terms: [{ ...anywhere, text: 'spot' }] }), batch(2, 1)] }],
    ['other checks', { ...usual, batches: [batch(1, 2, { checks: checks as Checks }), batch(2, 1)] }],
    ['less effort', { ...usual, tries: 999 }],
    ['another domain', { ...usual, repackGroup: { ...usual.repackGroup, signature: 'zone 2' } }],
    ['dearer nodes', { ...usual, repackGroup: { ...usual.repackGroup, newNodes: [large] } }],
    ['other nodes under the limits of the pool', { ...usual, others: [large] }],
  ])('is not known with %s', (_, input) => {
    const memory = new RepackMemory([]);
    memory.remember(memory.keyOf(usual), [large], [small]);
    expect(memory.recall(memory.keyOf(input), input.repackGroup.newNodes)).toBeUndefined();
  });

  test('has one order of pods, however a variant places them', () => {
    const [first, second] = [batch(1, 2), batch(2, 1)];
    const led = { ...second, terms: [{ ...anywhere, text: 'zone 1' }] };
    const memory = new RepackMemory([first, second].map(({ podClass }) => ({ podClass, pods: [] })));
    expect(memory.inOrder([second, first])).toEqual([first, second]);
    expect(memory.inOrder([led, first, second])).toEqual(memory.inOrder([second, led, first]));
  });
});
