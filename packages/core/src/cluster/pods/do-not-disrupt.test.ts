import { describe, expect, test } from '@jest/globals';
import { isDoNotDisrupt, doNotDisruptStatusOf } from './do-not-disrupt.ts';

const startTime = '2026-01-01T00:00:00Z';
const started = Date.parse(startTime);

test.each<[string, string | undefined, boolean, number | undefined, boolean]>([
  ['without the annotation a pod may go', undefined, true, started, false],
  ['true lasts for ever', 'true', true, started + 1e12, true],
  ['a duration lasts until it has passed', '10m', true, started + 599_999, true],
  ['and then no longer', '10m', true, started + 600_000, false],
  ['it does not begin to run before the pod has started', '10m', false, started + 1e9, true],
  ['it lasts when the moment is not known', '10m', true, undefined, true],
  ['a duration of nothing is ignored', '0s', true, started, false],
  ['neither true nor a duration is ignored', 'yes', true, started, false],
  ['a duration beyond the range of Go is ignored', '9999999999h', true, started, false],
])('%s', (...[, value, hasStarted, nowMs, isAlone]) => {
  const pod = {
    metadata: { name: 'p', ...(value === undefined ? {} : { annotations: { 'karpenter.sh/do-not-disrupt': value } }) },
    spec: { containers: [] },
    status: hasStarted ? { startTime } : {},
  };
  expect(isDoNotDisrupt(pod, nowMs)).toBe(isAlone);
});

describe('the do-not-disrupt of a pod', () => {
  test.each([
    ['has an event with its end', '10m', true, started, { kind: 'lasting', untilMs: started + 600_000 }],
    ['has an event when it is over', '10m', true, started + 600_000, { kind: 'over' }],
    ['has an event when it makes no sense', 'yes', true, started, { kind: 'invalid', value: 'yes' }],
    ['a duration of nothing makes none', '0s', false, started, { kind: 'invalid', value: '0s' }],
    ['has an event when its duration is beyond the range of Go', '9999999999h', true, started, { kind: 'invalid', value: '9999999999h' }],
    ['has no event when it is for ever', 'true', true, started, undefined],
    ['has no event before the pod has started', '10m', false, started, undefined],
  ])('%s', (...[, value, hasStarted, nowMs, expected]) => {
    const metadata = { name: 'p', annotations: { 'karpenter.sh/do-not-disrupt': value } };
    expect(doNotDisruptStatusOf({ metadata, spec: { containers: [] }, status: hasStarted ? { startTime } : {} }, nowMs)).toEqual(expected);
  });
});
