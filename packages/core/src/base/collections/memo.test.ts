import { describe, expect, test } from '@jest/globals';
import { WeakMemory, getOrMake, memoByKey, memoByObject, memoByText } from './memo.ts';

describe('memo', () => {
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

  test('a key is worked out once, also where the answer is false', () => {
    const asked: number[] = [];
    const isLarge = memoByKey((size: number) => {
      asked.push(size);
      return size > 9;
    });
    expect([isLarge(1), isLarge(10), isLarge(1)]).toEqual([false, true, false]);
    expect(asked).toEqual([1, 10]);
  });

  test('what a map lacks is made from the key and kept there', () => {
    const lengths = new Map([['a', 7]]);
    expect([getOrMake(lengths, 'a', (text) => text.length), getOrMake(lengths, 'bb', (text) => text.length)]).toEqual([7, 2]);
    expect([...lengths]).toEqual([
      ['a', 7],
      ['bb', 2],
    ]);
  });
});

describe('weak memory', () => {
  const things = (count: number) => Array.from({ length: count }, (_, id) => ({ id }));

  test('remembers what was said last about each of many objects', () => {
    const memory = new WeakMemory<object, { readonly said: string }>();
    const all = things(100_000);
    for (const thing of all) memory.set(thing, { said: `first of ${thing.id}` });
    for (const thing of all.slice(0, 10)) memory.set(thing, { said: 'second' });
    expect(all.slice(8, 12).map((thing) => memory.get(thing)?.said)).toEqual(['second', 'second', 'first of 10', 'first of 11']);
    expect(memory.get(all.at(-1) ?? {})?.said).toBe('first of 99999');
  });

  test('forgets those that a great many others came after', () => {
    const memory = new WeakMemory<object, object>();
    const [first = {}, ...others] = things(16 * 16_384 + 1);
    memory.set(first, first);
    for (const thing of others) memory.set(thing, thing);
    expect(memory.get(first)).toBeUndefined();
    expect(memory.get(others[16_383] ?? {})).toBeDefined();
  });

  test('knows nothing of a stranger', () => expect(new WeakMemory<object, object>().get({})).toBeUndefined());
});
