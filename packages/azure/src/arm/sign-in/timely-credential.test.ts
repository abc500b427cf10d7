import { expect, test } from '@jest/globals';
import { timelyCredential } from './credential.ts';

test('a request for a token that gets no answer fails, and the next call requests it again', async () => {
  let asked = 0;
  const token = { token: 'secret', expiresOnTimestamp: 1 };
  const getToken = () => (asked++ === 0 ? new Promise<never>(() => undefined) : Promise.resolve(token));
  const credential = timelyCredential({ getToken }, 10);
  await expect(credential.getToken('a')).rejects.toMatchObject({
    code: 'network',
    message: 'the sign-in to Azure has had no answer for 0.01 s',
  });
  expect(await credential.getToken('a')).toBe(token);
});
