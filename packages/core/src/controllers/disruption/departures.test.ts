import { describe, expect, test } from '@jest/globals';
import type { NodeView } from '../../cluster/index.ts';
import { aBareNode } from '../../cluster/testing/a-bare-cluster.ts';
import { departing, hasDeparted } from './command-runs.ts';

const viewNamed = (name: string, isMarkedForDeletion = false): NodeView => aBareNode({ name, isMarkedForDeletion });

describe('departures', () => {
  test('await what is marked and what a command is about', () => {
    expect(departing([viewNamed('a'), viewNamed('b', true)], new Set(['node/c']))).toEqual(new Set(['node/b', 'node/c']));
  });

  test.each([
    { name: 'nobody was awaited', awaited: [], nodes: [viewNamed('a')], expected: false },
    { name: 'all who were awaited are still there', awaited: ['node/b'], nodes: [viewNamed('a'), viewNamed('b', true)], expected: false },
    { name: 'one of them is gone', awaited: ['node/a', 'node/b'], nodes: [viewNamed('b', true)], expected: true },
  ])('$name', ({ awaited, nodes, expected }) => {
    expect(hasDeparted(new Set(awaited), nodes)).toBe(expected);
  });
});
