import { expect, test } from '@jest/globals';
import { memoByObject, memoByText } from './memo.ts';

test('a text is worked out once, until there are too many texts', () => {
  const asked: string[] = [];
  const lengthOf = memoByText((text) => {
    asked.push(text);
    return text.length;
  }, 2);
  expect([lengthOf('a'), lengthOf('a'), lengthOf('bb'), lengthOf('ccc'), lengthOf('a')]).toEqual([1, 1, 2, 3, 1]);
  expect(asked).toEqual(['a', 'bb', 'ccc', 'a']);
});

test('an object is worked out once, an equal one again', () => {
  const asked: object[] = [];
  const sizeOf = memoByObject((list: readonly string[]) => {
    asked.push(list);
    return list.length;
  });
  const [one, equal] = [['a'], ['a']];
  expect([sizeOf(one), sizeOf(one), sizeOf(equal)]).toEqual([1, 1, 1]);
  expect(asked).toEqual([one, equal]);
});
