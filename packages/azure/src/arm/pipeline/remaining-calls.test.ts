import { expect, test } from '@jest/globals';
import { createHttpHeaders } from '@azure/core-rest-pipeline';
import { remainingCalls } from './remaining-calls.ts';
import type { OperationClass } from './operation-class.ts';

interface LimitCase {
  readonly operations: OperationClass;
  readonly headers: Record<string, string>;
  readonly left: number | undefined;
}

test.each<[string, LimitCase]>([
  ['nothing', { operations: 'writes', headers: {}, left: undefined }],
  ['what is no number', { operations: 'writes', headers: { 'x-ms-ratelimit-remaining-subscription-writes': '' }, left: undefined }],
  [
    'its own class',
    {
      operations: 'writes',
      headers: { 'x-ms-ratelimit-remaining-subscription-writes': '199', 'x-ms-ratelimit-remaining-subscription-reads': '3' },
      left: 199,
    },
  ],
  [
    'the subscription as a whole',
    {
      operations: 'reads',
      headers: { 'x-ms-ratelimit-remaining-subscription-reads': '249', 'x-ms-ratelimit-remaining-subscription-global-reads': '100' },
      left: 100,
    },
  ],
  [
    'Compute, whatever it says about one machine',
    {
      operations: 'writes',
      headers: {
        'x-ms-ratelimit-remaining-subscription-writes': '199',
        'x-ms-ratelimit-remaining-resource': 'Microsoft.Compute/PutVMSubscriptionMaximum;42,Microsoft.Compute/PutVMResource;11',
      },
      left: 42,
    },
  ],
  [
    'Resource Graph',
    {
      operations: 'queries',
      headers: { 'x-ms-user-quota-remaining': '14', 'x-ms-ratelimit-remaining-subscription-writes': '1' },
      left: 14,
    },
  ],
])('calls that are left by %s', (_, { operations, headers, left }) => {
  expect(remainingCalls(createHttpHeaders(headers), operations)).toBe(left);
});
