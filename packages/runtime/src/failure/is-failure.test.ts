import { expect, test } from '@jest/globals';
import { KubeError } from '../client/kube-error.ts';
import { isFailure } from './failures.ts';

const withCode = <E extends Error>(error: E, code: string): E => Object.assign(error, { code });

test.each([
  ['a KubeError', new KubeError('x', { code: 'server', cause: undefined }), true],
  ['an error of another boundary', withCode(new Error('x'), 'QuotaExceeded'), true],
  ['a system error', withCode(new Error('x'), 'ECONNRESET'), true],
  ['an abort', new DOMException('x', 'AbortError'), true],
  ['several failures', new AggregateError([withCode(new Error('x'), 'ENOENT')]), true],
  ['a failure and a bug', new AggregateError([withCode(new Error('x'), 'ENOENT'), new TypeError('y')]), false],
  ['a plain error', new Error('x'), false],
  ['a wrong type', new TypeError('x'), false],
  ['a wrong argument to Node', withCode(new TypeError('x'), 'ERR_INVALID_ARG_TYPE'), false],
  ['something that is no error', 'x', false],
] as const)('%s', (_, error, expected) => {
  expect(isFailure(error)).toBe(expected);
});
