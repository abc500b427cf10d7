import { describe, expect, test } from '@jest/globals';
import { bySavings, inTurn } from './candidate.ts';
import type { Candidate } from './candidate.ts';
import { aNode, aPool } from '../testing/a-cluster.ts';

const aCandidate = (name: string, pool: string, [pricePerHour, disruptionCost]: readonly [number, number]): Candidate => ({
  node: aNode(name),
  nodePool: aPool({ name: pool }),
  reschedulablePods: [],
  pricePerHour,
  disruptionCost,
});
const joinedNames = (candidates: readonly Candidate[]) => candidates.map(({ node }) => node.name).join(' ');
const a = aCandidate('a', 'x', [1, 10]);
const b = aCandidate('b', 'x', [1, 1]);
const c = aCandidate('c', 'x', [1, 1]);
const d = aCandidate('d', 'y', [1, 20]);
const sorted = [d, c, b, a].sort(bySavings);

describe('the order of candidates', () => {
  test('most saved per disruption first, ties by name', () => expect(joinedNames(sorted)).toBe('b c a d'));
  test('pools take turns', () => expect(joinedNames(inTurn(sorted))).toBe('b d c a'));
  test('nothing in, nothing out', () => expect(inTurn([])).toEqual([]));
});
