import { expect, test } from '@jest/globals';
import { memoByText } from './memo-by-text.ts';

test('a text is worked out once, until there are too many texts', () => {
  const asked: string[] = [];
  const lengthOf = memoByText((text) => {
    asked.push(text);
    return text.length;
  }, 2);
  expect([lengthOf('a'), lengthOf('a'), lengthOf('bb'), lengthOf('ccc'), lengthOf('a')]).toEqual([1, 1, 2, 3, 1]);
  expect(asked).toEqual(['a', 'bb', 'ccc', 'a']);
});
