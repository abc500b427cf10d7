import { expect, test } from '@jest/globals';
import type { NodeView } from '../../../cluster/index.ts';
import type { PodClass } from '../../pod-classes/pod-class.ts';
import { ExistingNodes } from './existing-nodes.ts';

/** A class that requests one of each resource. */
const requesting = (...resourceIds: readonly number[]): PodClass =>
  ({ resourceIds: Int32Array.from(resourceIds), amounts: Float64Array.from(resourceIds, () => 1) }) as unknown as PodClass;

/** One node with room for four of each resource. */
const oneNode = (resourceCount: number): ExistingNodes =>
  new ExistingNodes(
    [{ name: 'node-a' } as NodeView],
    Array.from({ length: resourceCount }, () => Float64Array.of(4)),
    () => [],
  );

test('a node has room for as many pods as its scarcest resource carries', () => {
  expect(oneNode(3).roomOn(0, requesting(0, 2), 9)).toBe(4);
});

test('a request for a resource without a column is a bug that shows, and no full node', () => {
  expect(() => oneNode(2).roomOn(0, requesting(0, 2), 9)).toThrow('there is no cell 2: the column has 2');
});
