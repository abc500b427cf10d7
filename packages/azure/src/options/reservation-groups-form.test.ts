import { describe, expect, test } from '@jest/globals';
import { parseAzureOptions } from './azure-options-parser.ts';

const SUBSCRIPTION = '6c3f7a0e-1d5b-4f0a-9b1e-2f4c8d7e9a10';
const groupId = (name: string, subscription = SUBSCRIPTION): string =>
  `/subscriptions/${subscription}/resourceGroups/capacity/providers/Microsoft.Compute/capacityReservationGroups/${name}`;

const parsed = (groups: string, env: Readonly<Record<string, string>> = {}) =>
  parseAzureOptions({ env: { AZURE_SUBSCRIPTION_ID: SUBSCRIPTION, ...env }, flags: { 'capacity-reservation-groups': groups } });

const problemsOfGroups = (...given: Parameters<typeof parsed>): readonly string[] => {
  const result = parsed(...given);
  return result.ok ? [] : result.problems.filter((problem) => problem.includes('capacity-reservation-groups'));
};

describe('capacity reservation groups', () => {
  test.each([groupId('web'), `${groupId('web')}, ${groupId('Batch_2.gpu-a')}`, groupId('web').toUpperCase(), groupId('x'.repeat(63)), ''])(
    'may be %s',
    (text) => expect(problemsOfGroups(text)).toEqual([]),
  );

  test.each([
    ['web', '"web" is none'],
    [`${groupId('web')},`, '"" is none'],
    [groupId('x'.repeat(64)), 'of at most 63 characters'],
    [groupId('web/capacityReservations/d4'), 'is none'],
    [`${groupId('web')},${groupId('WEB')}`, 'one is there twice'],
    [groupId('web', '00000000-0000-4000-8000-000000000000'), `expected groups of the subscription ${SUBSCRIPTION}`],
  ])('may not be %s, and it is said why', (text, why) => {
    const [problem, ...more] = problemsOfGroups(text);
    expect(problem).toContain(why);
    expect(more).toEqual([]);
  });

  test.each(['aksmachineapi', 'aksmachineapiheaderbatch'])('may not be named in the mode %s, whose machines take none', (mode) => {
    expect(problemsOfGroups(groupId('web'), { PROVISION_MODE: mode })).toEqual([
      `--capacity-reservation-groups (CAPACITY_RESERVATION_GROUPS) is ${JSON.stringify(groupId('web'))}: expected nothing with the mode aksmachineapi, whose machines are made out of none`,
    ]);
  });
});
