import { describe, expect, test } from '@jest/globals';
import { Exchanges } from './exchanges.ts';

const anExchange = (leaving: readonly string[], coming: readonly string[]) => ({ leaving: new Set(leaving), coming: new Set(coming) });

const set = (gone: readonly string[] = []) => {
  const touched: string[] = [];
  const exchanges = new Exchanges({ isStaying: (machine) => !gone.includes(machine), touch: (machine) => void touched.push(machine) });
  return { exchanges, touched };
};

describe('an exchange', () => {
  test('has its machines leave until its command ends it', () => {
    const { exchanges, touched } = set();
    exchanges.begin('c', anExchange(['a', 'b'], ['x']));
    expect([exchanges.isOpen('c'), exchanges.isLeaving('b'), exchanges.isLeaving('x')]).toEqual([true, true, false]);
    exchanges.end('c');
    expect([exchanges.isOpen('c'), exchanges.isLeaving('b')]).toEqual([false, false]);
    expect(touched).toEqual(['a', 'b', 'a', 'b']);
  });

  test('is over when one of the coming machines goes, and not when another machine does', () => {
    const { exchanges } = set();
    exchanges.begin('c', anExchange(['a'], ['x', 'y']));
    exchanges.begin('d', anExchange(['b'], ['z']));
    exchanges.lose('a');
    expect(exchanges.isLeaving('a')).toBe(true);
    exchanges.lose('y');
    expect([exchanges.isLeaving('a'), exchanges.isLeaving('b')]).toEqual([false, true]);
  });

  test('does not begin when something is gone that was to come', () => {
    const { exchanges } = set(['x']);
    exchanges.begin('c', anExchange(['a'], ['x']));
    expect([exchanges.isOpen('c'), exchanges.isLeaving('a')]).toEqual([false, false]);
  });

  test('without anything to come lasts until it is ended', () => {
    const { exchanges } = set();
    exchanges.begin('c', anExchange(['a'], []));
    exchanges.lose('x');
    expect(exchanges.isLeaving('a')).toBe(true);
  });
});
