import { expect, test } from '@jest/globals';
import { silentLogger } from '@karpenter/runtime';
import { answerReader } from './answer-reader.ts';

const numberOf = (item: unknown): number | undefined => (typeof item === 'number' ? item : undefined);

test('items that cannot be parsed are left out, and logged once for each kind', () => {
  const reported: unknown[] = [];
  const read = answerReader({ warn: (_message, fields) => void reported.push(fields) });
  expect(read('prices', [1, null, 'x', 2], numberOf)).toEqual([1, 2]);
  expect(read('prices', ['x'], numberOf)).toEqual([]);
  expect(read('machines', [{ a: 1 }], numberOf)).toEqual([]);
  expect(reported).toEqual([
    { kind: 'prices', count: 2, first: 'null' },
    { kind: 'machines', count: 1, first: '{"a":1}' },
  ]);
});

test.each([[undefined], [null], ['text'], [{ 0: 1, length: 1 }]])('what is no list, as %j, has no items', (items) => {
  expect(answerReader(silentLogger)('prices', items, numberOf)).toEqual([]);
});
