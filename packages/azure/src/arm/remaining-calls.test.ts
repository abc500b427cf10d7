import { expect, test } from '@jest/globals';
import { createHttpHeaders } from '@azure/core-rest-pipeline';
import { remainingCalls } from './remaining-calls.ts';
import type { OperationClass } from './operation-class.ts';

test.each<[string, OperationClass, Record<string, string>, number | undefined]>([
  ['nothing', 'writes', {}, undefined],
  ['what is no number', 'writes', { 'x-ms-ratelimit-remaining-subscription-writes': '' }, undefined],
  [
    'its own class',
    'writes',
    { 'x-ms-ratelimit-remaining-subscription-writes': '199', 'x-ms-ratelimit-remaining-subscription-reads': '3' },
    199,
  ],
  [
    'the subscription as a whole',
    'reads',
    { 'x-ms-ratelimit-remaining-subscription-reads': '249', 'x-ms-ratelimit-remaining-subscription-global-reads': '100' },
    100,
  ],
  [
    'Compute, whatever it says about one machine',
    'writes',
    {
      'x-ms-ratelimit-remaining-subscription-writes': '199',
      'x-ms-ratelimit-remaining-resource': 'Microsoft.Compute/PutVMSubscriptionMaximum;42,Microsoft.Compute/PutVMResource;11',
    },
    42,
  ],
  ['Resource Graph', 'queries', { 'x-ms-user-quota-remaining': '14', 'x-ms-ratelimit-remaining-subscription-writes': '1' }, 14],
])('calls that are left by %s', (_, operations, headers, left) => {
  expect(remainingCalls(createHttpHeaders(headers), operations)).toBe(left);
});
