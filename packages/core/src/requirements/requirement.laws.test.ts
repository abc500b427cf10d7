import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RequirementSpec } from '../apis/index.ts';
import { defaultLabelCatalog } from '../apis/index.ts';
import { isFieldProblem } from '../base/index.ts';
import type { NodeSelectorOperator } from '../kube/index.ts';
import { admits, and, andAll, implies, intersects, isEmpty, opposites } from './requirement.ts';
import type { Requirement } from './requirement.ts';
import { describeRequirement, requirementOf, requirementSpecs, requirementsOf } from './requirements.ts';

const value = fc.constantFrom('a', 'b', '0', '1', '2', '3', '4', '05');
const label = fc.option(value, { nil: undefined });
const everyLabel = [undefined, 'a', 'b', 'c', '-1', '0', '1', '2', '3', '4', '5', '6', '05', ''];

const spec: fc.Arbitrary<RequirementSpec> = fc.oneof(
  fc.record({ key: fc.constant('k'), operator: fc.constant<NodeSelectorOperator>('In'), values: fc.array(value, { minLength: 1 }) }),
  fc.record({ key: fc.constant('k'), operator: fc.constant<NodeSelectorOperator>('NotIn'), values: fc.array(value) }),
  fc.record({ key: fc.constant('k'), operator: fc.constantFrom<NodeSelectorOperator>('Exists', 'DoesNotExist') }),
  fc.record({
    key: fc.constant('k'),
    operator: fc.constantFrom<NodeSelectorOperator>('Gt', 'Gte', 'Lt', 'Lte'),
    values: fc.tuple(fc.constantFrom('0', '1', '2', '3', '4')),
  }),
);
const readRequirement = (written: RequirementSpec): Requirement => {
  const requirement = requirementOf(written, defaultLabelCatalog);
  if (isFieldProblem(requirement)) throw new Error(requirement.problem);
  return requirement;
};
/** Whatever several written requirements on one key come to. */
const requirement = fc.array(spec, { minLength: 1, maxLength: 4 }).map((specs) => specs.map(readRequirement).reduce(and));

describe('the algebra of requirements', () => {
  test('a node satisfies both exactly when it satisfies each, the missing label included', () => {
    fc.assert(fc.property(requirement, requirement, label, (a, b, v) => expect(admits(and(a, b), v)).toBe(admits(a, v) && admits(b, v))));
  });

  test('the order and grouping of "and" mean nothing', () => {
    fc.assert(
      fc.property(requirement, requirement, requirement, (a, b, c) => {
        expect(and(a, b)).toEqual(and(b, a));
        expect(and(and(a, b), c)).toEqual(and(a, and(b, c)));
        expect(and(a, a)).toEqual(a);
      }),
    );
  });

  test('all at once are one after another: the same values in the same order, bounds, absence and minValues', () => {
    const listing = fc.shuffledSubarray(['a', 'b', '0', '1', '2', '3'], { minLength: 4 });
    const listed = listing.map((values) => readRequirement({ key: 'k', operator: 'In', values }));
    const some = fc.tuple(fc.oneof(requirement, listed, listed), fc.option(fc.nat({ max: 3 }), { nil: undefined }));
    const stated = some.map(([each, minValues]): Requirement => (minValues === undefined ? each : { ...each, minValues }));
    const orderOf = ({ values }: Requirement): readonly string[] => [...values.values];
    fc.assert(
      fc.property(stated, fc.array(stated, { maxLength: 6 }), (first, others) => {
        const together = andAll(first, others);
        const inTurn = others.reduce(and, and(first, first));
        expect(together).toEqual(inTurn);
        expect(orderOf(together)).toEqual(orderOf(inTurn));
        expect(describeRequirement(together)).toBe(describeRequirement(inTurn));
      }),
    );
  });

  test('two intersect exactly when "and" leaves something', () => {
    fc.assert(fc.property(requirement, requirement, (a, b) => expect(intersects(a, b)).toBe(!isEmpty(and(a, b)))));
  });

  test('what a requirement refuses one of its opposites admits, but for texts beside bounds; what it admits none does', () => {
    fc.assert(
      fc.property(requirement, fc.constantFrom(...everyLabel), (a, v) => {
        const isBounded = a.values.kind === 'not-in' && (a.values.gte ?? a.values.lte) !== undefined;
        const isText = v !== undefined && !/^(0|-?[1-9]\d*)$/.test(v);
        expect(opposites(a).some((each) => admits(each, v))).toBe(!admits(a, v) && !(isBounded && isText));
      }),
    );
  });

  test('one implies another only where every label that satisfies it satisfies the other, the missing label included', () => {
    fc.assert(
      fc.property(requirement, requirement, label, (a, b, v) => {
        expect(implies(and(a, b), a)).toBe(true);
        if (implies(a, b) && admits(a, v)) expect(admits(b, v)).toBe(true);
      }),
    );
  });

  test('empty is what no label and no absence satisfies', () => {
    fc.assert(
      fc.property(requirement, (a) => {
        if (isEmpty(a)) expect(everyLabel.filter((v) => admits(a, v))).toEqual([]);
        else if (a.values.kind === 'in' || (a.values.gte !== undefined && a.values.lte !== undefined)) {
          expect(everyLabel.some((v) => admits(a, v))).toBe(true);
        }
      }),
    );
  });

  test('what is written reads back as the same requirement, exclusions beside bounds included', () => {
    fc.assert(
      fc.property(requirement, (a) => {
        const back = requirementsOf(requirementSpecs(a)).get('k');
        for (const v of everyLabel) expect(back === undefined || admits(back, v)).toBe(admits(a, v));
      }),
    );
  });
});

describe('a written requirement means what Kubernetes says', () => {
  const holds = ({ operator, values = [] }: RequirementSpec, v: string | undefined): boolean => {
    const bound = Number(values[0]);
    const isInteger = v !== undefined && /^(0|[1-9]\d*)$/.test(v);
    const answers: Record<NodeSelectorOperator, boolean> = {
      In: v !== undefined && values.includes(v),
      NotIn: v === undefined || !values.includes(v),
      Exists: v !== undefined,
      DoesNotExist: v === undefined,
      Gt: isInteger && Number(v) > bound,
      Gte: isInteger && Number(v) >= bound,
      Lt: isInteger && Number(v) < bound,
      Lte: isInteger && Number(v) <= bound,
    };
    return answers[operator];
  };

  test('for every operator and label', () => {
    fc.assert(fc.property(spec, label, (written, v) => expect(admits(readRequirement(written), v)).toBe(holds(written, v))));
  });
});
