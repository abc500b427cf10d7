import type { ComputeManagementClient } from '@azure/arm-compute';
import { expect, test } from '@jest/globals';
import { jsonCalls } from './json-calls.ts';

const { signal } = new AbortController();

test.each(['https://elsewhere.example/page?2', 'http://management.azure.com/page?2', 'page?2'])(
  'the link "%s" of an answer is not followed: the token would go with it',
  async (url) => {
    let sent = 0;
    const compute = { pipeline: { sendRequest: () => Promise.resolve((sent += 1)) } } as unknown as ComputeManagementClient;
    const send = jsonCalls({ compute, endpoint: 'https://management.azure.com' });
    await expect(send({ method: 'GET', url }, signal)).rejects.toMatchObject({ name: 'ArmError', code: 'server' });
    expect(sent).toBe(0);
  },
);
