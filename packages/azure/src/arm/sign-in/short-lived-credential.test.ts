import { expect, test } from '@jest/globals';
import { shortLived } from './credential.ts';

const HOUR = 3_600_000;

test.each([
  ['a day', 24 * HOUR, 2 * HOUR],
  ['an hour', HOUR, HOUR],
])('a token that is good for %s is renewed in time', async (_, goodForMs, countedMs) => {
  const now = Date.now();
  const getToken = () => Promise.resolve({ token: 'secret', expiresOnTimestamp: now + goodForMs });
  const token = await shortLived({ getToken }).getToken('https://management.azure.com/.default');
  expect(token?.token).toBe('secret');
  expect((token?.expiresOnTimestamp ?? 0) - now).toBeGreaterThanOrEqual(countedMs);
  expect((token?.expiresOnTimestamp ?? 0) - now).toBeLessThan(countedMs + 60_000);
});

test('no token stays none', async () => {
  expect(await shortLived({ getToken: () => Promise.resolve(null) }).getToken('a')).toBeNull();
});
