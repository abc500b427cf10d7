import { describe, expect, test } from '@jest/globals';
import { labels } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import type { NodePoolView, NodeView } from '../../cluster/index.ts';
import { aBareNode, aBareSnapshot } from '../../cluster/testing/a-bare-cluster.ts';
import { aNodePool } from '../../testing/objects.ts';
import { attachmentLimits } from './attachment-limits.ts';
import type { AttachmentLimits } from './attachment-limits.ts';

type Limits = Readonly<Record<string, number>>;

const typeWith = (name: string, volumeLimits?: Limits): InstanceType => ({
  name,
  requirements: new Map(),
  offerings: [],
  capacity: {},
  overhead: {},
  ...(volumeLimits === undefined ? {} : { volumeLimits }),
});

const nodeOfType = (type: string | undefined, volumeLimits?: Limits): NodeView =>
  aBareNode({
    labels: type === undefined ? {} : { [labels.instanceType]: type },
    ...(volumeLimits === undefined ? {} : { volumeLimits }),
  });

const poolOf = (...instanceTypes: readonly InstanceType[]): NodePoolView => ({ nodePool: aNodePool(), instanceTypes, usage: {} });

const limitsOf = (nodes: readonly NodeView[], ...types: readonly InstanceType[]): AttachmentLimits =>
  attachmentLimits(aBareSnapshot({ nodes, nodePools: [poolOf(...types)] }));

const MANY = 100_000;

describe('how many volumes of a driver', () => {
  test('a node attaches: what its drivers say, before what its type states, before what other nodes of the type say', () => {
    const others = [nodeOfType('small', { disk: 5, file: 7, nas: 9 })];
    const limits = limitsOf(others, typeWith('small', { disk: 3, file: 4 }));
    const node = nodeOfType('small', { disk: 2 });
    expect(['disk', 'file', 'nas'].map((driver) => limits.ofNode(node, driver))).toEqual([2, 4, 9]);
    expect(limits.ofNode(nodeOfType('small'), 'disk')).toBe(3);
    expect(limits.ofNode(nodeOfType('small'), 'else')).toBeGreaterThan(MANY);
  });

  test('a type attaches: what it says itself, before what is stated under its name, before what its nodes say', () => {
    const limits = limitsOf([nodeOfType('small', { disk: 5, file: 7, nas: 9 })], typeWith('small', { disk: 3, file: 4 }));
    const type = typeWith('small', { disk: 1 });
    expect(['disk', 'file', 'nas'].map((driver) => limits.ofType(type, driver))).toEqual([1, 4, 9]);
    expect(limits.ofType(typeWith('large'), 'disk')).toBeGreaterThan(MANY);
  });

  test('the least that a node of a type has said counts for the others of it, in any order', () => {
    for (const stated of [
      [5, 3, 4],
      [3, 4, 5],
    ]) {
      const limits = limitsOf(stated.map((disk) => nodeOfType('small', { disk })));
      expect(limits.ofType(typeWith('small'), 'disk')).toBe(3);
      expect(limits.ofNode(nodeOfType('small'), 'disk')).toBe(3);
    }
  });

  test('what is said of one driver on one node, and of another on the next, is put together', () => {
    const limits = limitsOf([nodeOfType('small', { disk: 5 }), nodeOfType('small', { file: 7 }), nodeOfType('small')]);
    expect(['disk', 'file'].map((driver) => limits.ofType(typeWith('small'), driver))).toEqual([5, 7]);
  });

  test('a limit of none is a limit', () => {
    const limits = limitsOf([nodeOfType('small', { disk: 0, file: 0 })], typeWith('large', { disk: 0 }));
    expect(limits.ofNode(nodeOfType('small', { disk: 0 }), 'disk')).toBe(0);
    expect(limits.ofNode(nodeOfType('small'), 'file')).toBe(0);
    expect(limits.ofType(typeWith('large'), 'disk')).toBe(0);
  });

  test('a node of no type says nothing about others, and nothing is known about it', () => {
    const limits = limitsOf([nodeOfType(undefined, { disk: 2 })], typeWith('small'));
    expect(limits.ofNode(nodeOfType(undefined, { disk: 2 }), 'disk')).toBe(2);
    expect(limits.ofNode(nodeOfType(undefined), 'disk')).toBeGreaterThan(MANY);
    expect(limits.ofType(typeWith('small'), 'disk')).toBeGreaterThan(MANY);
  });
});

test('the drivers with a limit are those of nodes and types, each once, in order', () => {
  const nodes = [nodeOfType('small', { nas: 9, disk: 5 }), nodeOfType(undefined, { block: 1 }), nodeOfType('small')];
  expect(limitsOf(nodes, typeWith('small', { tape: 2, disk: 3 }), typeWith('large')).drivers).toEqual(['block', 'disk', 'nas', 'tape']);
  expect(limitsOf([nodeOfType('small')], typeWith('small')).drivers).toEqual([]);
});
