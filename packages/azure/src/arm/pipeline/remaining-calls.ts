import { wholeNumberIn } from '@karpenter/core';
import type { OperationClass } from './operation-class.ts';

interface Headers {
  get(name: string): string | undefined;
}

const numberIn = (text: string | undefined): readonly number[] => {
  const value = wholeNumberIn(text?.trim() ?? '');
  return value === undefined ? [] : [value];
};

/**
 * `Microsoft.Compute/PutVMSubscriptionMaximum;1499,Microsoft.Compute/PutVMResource;11`: what Compute itself grants, by
 * policy. Those about one machine (`…Resource`) say nothing about the next.
 */
const ofCompute = (text: string | undefined): readonly number[] =>
  (text ?? '').split(',').flatMap((entry) => {
    const [policy = '', left] = entry.split(';');
    return policy === '' || policy.endsWith('Resource') ? [] : numberIn(left);
  });

const namesOf = (operations: OperationClass): readonly string[] =>
  operations === 'queries'
    ? ['x-ms-user-quota-remaining']
    : [`x-ms-ratelimit-remaining-subscription-${operations}`, `x-ms-ratelimit-remaining-subscription-global-${operations}`];

/**
 * How many calls of a class are left by the answer to one: the least of what ARM and the resource provider say.
 * Undefined when neither says.
 */
export const remainingCalls = (headers: Headers, operations: OperationClass): number | undefined => {
  const reported = [
    ...namesOf(operations).flatMap((name) => numberIn(headers.get(name))),
    ...ofCompute(headers.get('x-ms-ratelimit-remaining-resource')),
  ];
  return reported.length === 0 ? undefined : Math.min(...reported);
};
