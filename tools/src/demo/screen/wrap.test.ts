import { describe, expect, test } from '@jest/globals';
import { wrap } from './wrap.ts';

describe('wrap', () => {
  test('a line that fits does not change', () => {
    expect(wrap('  · launched', 12)).toEqual(['  · launched']);
  });

  test('words move to lines that stand deeper', () => {
    expect(wrap('  · launched it as Standard_D8', 18)).toEqual(['  · launched it as', '      Standard_D8']);
  });

  test('a word without end is broken', () => {
    expect(wrap('abcdefghij', 4)).toEqual(['abcd', '  ef', '  gh', '  ij']);
  });
});
