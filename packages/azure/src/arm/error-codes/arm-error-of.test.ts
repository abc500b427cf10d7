import { describe, expect, test } from '@jest/globals';
import { restError } from '../../testing/rest-error.ts';
import { armErrorOf } from './arm-error-of.ts';
import { cloudProviderErrorOf } from './cloud-provider-error-of.ts';

describe('what the SDK throws', () => {
  test.each([
    [404, 'ResourceNotFound', 'not-found'],
    [429, 'TooManyRequests', 'throttled'],
    [403, 'AuthorizationFailed', 'forbidden'],
    [409, 'OperationNotAllowed', 'refused'],
    [503, 'ServiceUnavailable', 'server'],
  ] as const)('%d %s is %s', (status, armCode, code) => {
    expect(armErrorOf(restError(status, { code: armCode, message: 'm' }), 0)).toMatchObject({ code, armCode, status });
  });

  test('Retry-After is kept and reaches core', () => {
    const error = armErrorOf(restError(429, { code: 'TooManyRequests', message: 'm' }, { headers: { 'retry-after': '600' } }), 0);
    expect(error && cloudProviderErrorOf(error)).toMatchObject({ code: 'throttled', retryAfterMs: 600_000 });
  });

  test('an operation that failed later still has its code', () => {
    const error = new Error('The long-running operation has failed. ZonalAllocationFailed. Allocation failed.');
    expect(armErrorOf(error, 0)).toMatchObject({ code: 'refused', armCode: 'ZonalAllocationFailed' });
  });

  test('a connection that broke is a network failure', () => {
    const error = Object.assign(new Error('socket hang up'), { name: 'RestError', code: 'ECONNRESET' });
    expect(armErrorOf(error, 0)).toMatchObject({ code: 'network' });
  });

  test('credentials that Entra rejects are reported in its own sentence, without its placeholders', () => {
    const message =
      'invalid_client: Error(s): 7000215 - Timestamp: Not Available - Description: AADSTS7000215: Invalid client secret provided. - Correlation ID: Not Available - Trace ID: Not Available';
    const error = Object.assign(new Error(message), { name: 'AuthenticationError' });
    expect(armErrorOf(error, 0)).toMatchObject({
      code: 'forbidden',
      message: 'the credentials are refused: AADSTS7000215: Invalid client secret provided.',
    });
  });

  test('a sign-in endpoint that is not reached is no lack of credentials', () => {
    const error = Object.assign(new Error('endpoints_resolution_error: See https://aka.ms/msal.js.errors'), {
      name: 'AuthenticationError',
    });
    expect(armErrorOf(error, 0)).toMatchObject({ code: 'network', message: expect.stringContaining('AZURE_AUTHORITY_HOST') });
  });

  test('an endpoint that is not reached is named', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:9'), {
      name: 'RestError',
      request: { url: 'https://127.0.0.1:9/subscriptions/1?api-version=2024' },
    });
    expect(armErrorOf(error, 0)).toMatchObject({
      code: 'network',
      message: 'https://127.0.0.1:9 is not reached: connect ECONNREFUSED 127.0.0.1:9',
    });
  });

  test('missing credentials are reported in one line, with the ways to provide some', () => {
    const error = Object.assign(new Error('Chain failed.\nManagedIdentityCredential: no endpoint'), {
      name: 'AggregateAuthenticationError',
    });
    const failure = armErrorOf(error, 0);
    expect(failure).toMatchObject({ code: 'forbidden' });
    expect(failure?.message).toMatch(/^no Azure credentials: .*az login.*no endpoint$/);
  });

  test('bugs and aborts are not failures of Azure', () => {
    expect(armErrorOf(new TypeError('x is undefined'), 0)).toBeUndefined();
    expect(armErrorOf(Object.assign(new Error('aborted'), { name: 'AbortError' }), 0)).toBeUndefined();
  });
});
