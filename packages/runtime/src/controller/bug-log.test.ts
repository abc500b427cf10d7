import { expect, test } from '@jest/globals';
import { silentLogger } from '../log/logger.ts';
import { BugLog } from './bug-log.ts';

const logging = () => {
  const errors: unknown[] = [];
  const bugs = new BugLog({ ...silentLogger, error: (_, fields) => void errors.push((fields?.['error'] as Error | undefined)?.message) });
  const found = (message: string, key = 'a'): void => bugs.found({ controller: 'c', key }, new TypeError(message));
  return { errors, found, bugs };
};

test('bugs of an object that alternate, or that count in their texts, are logged once each', () => {
  const { errors, found } = logging();
  for (let round = 0; round < 5; round += 1) {
    found('x is undefined');
    found(`try ${round} of 5 failed`);
  }
  expect(errors).toEqual(['x is undefined', 'try 0 of 5 failed']);
});

test('the bug of another object, and the same after a success, are logged again', () => {
  const { errors, found, bugs } = logging();
  found('x is undefined');
  found('x is undefined', 'b');
  bugs.passed({ controller: 'c', key: 'a' });
  found('x is undefined');
  found('x is undefined', 'b');
  expect(errors).toHaveLength(3);
});
