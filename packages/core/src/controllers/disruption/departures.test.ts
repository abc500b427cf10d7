import { describe, expect, test } from '@jest/globals';
import type { NodeView } from '../../cluster/index.ts';
import { departing, hasDeparted } from './command-runs.ts';

const aNode = (name: string, isMarkedForDeletion = false) => ({ name, isMarkedForDeletion }) as NodeView;

describe('departures', () => {
  test('await what is marked and what a command is about', () => {
    expect(departing([aNode('a'), aNode('b', true)], new Set(['node/c']))).toEqual(new Set(['node/b', 'node/c']));
  });

  test.each([
    { name: 'nobody was awaited', awaited: [], nodes: [aNode('a')], expected: false },
    { name: 'all who were awaited are still there', awaited: ['node/b'], nodes: [aNode('a'), aNode('b', true)], expected: false },
    { name: 'one of them is gone', awaited: ['node/a', 'node/b'], nodes: [aNode('b', true)], expected: true },
  ])('$name', ({ awaited, nodes, expected }) => {
    expect(hasDeparted(new Set(awaited), nodes)).toBe(expected);
  });
});
