import { expect, test } from '@jest/globals';
import { createHttpHeaders, createPipelineRequest } from '@azure/core-rest-pipeline';
import { failedOperationPolicy } from './failed-operation-policy.ts';

test('an operation that failed reports its own code and those of its details', async () => {
  const request = createPipelineRequest({ url: 'https://arm.example/operations/1' });
  const error = { code: 'ResourceOperationFailure', message: 'failed', details: [{ code: 'AllocationFailed', message: 'no room' }] };
  const bodyAsText = JSON.stringify({ status: 'Failed', error });
  const answer = () => Promise.resolve({ request, status: 200, headers: createHttpHeaders(), bodyAsText });
  await expect(failedOperationPolicy().sendRequest(request, answer)).rejects.toMatchObject({
    code: 'refused',
    armCode: 'ResourceOperationFailure',
    inner: [{ code: 'AllocationFailed', message: 'AllocationFailed: no room' }],
  });
});
