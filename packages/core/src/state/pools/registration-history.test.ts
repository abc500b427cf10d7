import { describe, expect, test } from '@jest/globals';
import { RegistrationHistory } from './launch-backoff.ts';

const healthAfter = (...results: readonly boolean[]): boolean | undefined => {
  const history = new RegistrationHistory();
  results.forEach((isRegistered, index) => history.add('pool', { claimId: String(index), isRegistered }));
  return history.isHealthy('pool');
};

describe('whether a pool’s machines become nodes', () => {
  test.each<[string, readonly boolean[], boolean | undefined]>([
    ['is not known before the first', [], undefined],
    ['is so after one that did', [true], true],
    ['is so after one that did not: half of four must fail', [false], true],
    ['is not so when two of the last four did not', [true, false, true, false], false],
    ['is so again when those lie further back', [false, false, true, true, true], true],
  ])('%s', (...[, results, expected]) => {
    expect(healthAfter(...results)).toBe(expected);
  });

  test('counts each claim once', () => {
    const history = new RegistrationHistory();
    history.add('pool', { claimId: 'a', isRegistered: false });
    history.add('pool', { claimId: 'a', isRegistered: false });
    expect(history.isHealthy('pool')).toBe(true);
  });

  test('is taken up from an earlier process, and not against what is known', () => {
    const history = new RegistrationHistory();
    history.recall('pool', false);
    expect(history.isHealthy('pool')).toBe(false);
    history.forget('pool');
    history.add('pool', { claimId: 'a', isRegistered: true });
    history.recall('pool', false);
    expect(history.isHealthy('pool')).toBe(true);
  });
});
