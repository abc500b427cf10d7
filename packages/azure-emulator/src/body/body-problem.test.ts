import { describe, expect, test } from '@jest/globals';
import { bodyProblem } from './body-problem.ts';
import { computeBodyRefusal, networkBodyRefusal } from './body-refusal.ts';
import { amount, flag, list, mapOf, oneOfTexts, record, requiredMember, text, whole } from './shape.ts';

const shape = record('Machine', {
  name: requiredMember(text(/^[a-z]+$/)),
  size: oneOfTexts('small', 'large'),
  on: flag,
  gigabytes: whole(1, 10),
  price: amount(-1, 5),
  tags: mapOf(text()),
  disks: list(record('Disk', { id: requiredMember(text()) }), { atLeast: 1, atMost: 2 }),
});

describe('a body', () => {
  test('of its shape has no problem; null counts as left out', () => {
    expect(
      bodyProblem({ name: 'a', size: 'small', on: true, gigabytes: 3, price: 0.5, tags: { a: 'b' }, disks: [{ id: 'x' }] }, shape),
    ).toBeUndefined();
    expect(bodyProblem({ name: 'a', size: null, disks: undefined }, shape)).toBeUndefined();
  });

  test.each([
    ['an unknown member', { name: 'a', colour: 'red' }, { kind: 'unknown-member', member: 'colour', type: 'Machine' }],
    [
      'a misplaced member',
      { name: 'a', disks: [{ id: 'x', size: 'small' }] },
      { kind: 'unknown-member', path: 'disks[0].size', type: 'Disk' },
    ],
    ['a missing member', { size: 'small' }, { kind: 'missing', path: 'name' }],
    ['a missing member deep inside', { name: 'a', disks: [{}] }, { kind: 'missing', path: 'disks[0].id' }],
    ['text where a number belongs', { name: 'a', gigabytes: '3' }, { kind: 'wrong-type', path: 'gigabytes', expected: 'integer' }],
    ['a fraction where an integer belongs', { name: 'a', gigabytes: 2.5 }, { kind: 'wrong-type', path: 'gigabytes' }],
    ['a number out of range', { name: 'a', gigabytes: 11 }, { kind: 'not-allowed', allowed: '1 to 10' }],
    ['a value that is not in the list', { name: 'a', size: 'medium' }, { kind: 'not-allowed', allowed: 'small, large' }],
    ['a name that does not match', { name: 'A' }, { kind: 'not-allowed', path: 'name' }],
    ['too few items', { name: 'a', disks: [] }, { kind: 'not-allowed', path: 'disks' }],
    ['an object where a list belongs', { name: 'a', disks: {} }, { kind: 'wrong-type', expected: 'array' }],
    ['a list where an object belongs', { name: 'a', tags: [] }, { kind: 'wrong-type', expected: 'object', actual: 'array' }],
    ['a tag that is no text', { name: 'a', tags: { a: 1 } }, { kind: 'wrong-type', path: 'tags.a' }],
    ['text where a flag belongs', { name: 'a', on: 'true' }, { kind: 'wrong-type', expected: 'boolean' }],
    ['nothing at all', undefined, { kind: 'wrong-type', expected: 'object' }],
  ])('with %s gets a problem with its path', (_case, body, problem) => {
    expect(bodyProblem(body, shape)).toMatchObject(problem);
  });

  test('is refused by each provider in its own words, with 400', () => {
    const body = { name: 'a', colour: 'red' };
    const sentence = "Could not find member 'colour' on object of type 'Machine'. Path 'colour', line 1, position 1.";
    expect(computeBodyRefusal(body, shape)).toEqual({ status: 400, error: { code: 'BadRequest', message: sentence, target: 'colour' } });
    expect(networkBodyRefusal(body, shape)).toMatchObject({
      status: 400,
      error: { code: 'InvalidRequestFormat', details: [{ message: sentence }] },
    });
    expect(computeBodyRefusal({}, shape)).toMatchObject({
      error: { code: 'InvalidParameter', message: "Required parameter 'name' is missing (null)." },
    });
  });
});
