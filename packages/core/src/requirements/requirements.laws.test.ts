import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { defaultLabelCatalog, labels as names } from '../apis/index.ts';
import type { LabelCatalog, RequirementSpec } from '../apis/index.ts';
import { isFieldProblem } from '../base/index.ts';
import type { Labels, NodeSelectorOperator, NodeSelectorTerm, PodSpec } from '../kube/index.ts';
import { compatible, firstConflict, firstUnmet, merge, requirementsOf } from './requirements.ts';
import { podRequirements } from './pod-requirements.ts';
import { and } from './requirement.ts';

const keys = ['a', 'b'];
const value = fc.constantFrom('x', 'y', '1', '2', '3');
const spec: fc.Arbitrary<RequirementSpec> = fc.oneof(
  fc.record({
    key: fc.constantFrom(...keys),
    operator: fc.constantFrom<NodeSelectorOperator>('In', 'NotIn'),
    values: fc.uniqueArray(value, { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ key: fc.constantFrom(...keys), operator: fc.constantFrom<NodeSelectorOperator>('Exists', 'DoesNotExist') }),
  fc.record({
    key: fc.constantFrom(...keys),
    operator: fc.constantFrom<NodeSelectorOperator>('Gt', 'Gte', 'Lt', 'Lte'),
    values: fc.tuple(fc.constantFrom('1', '2', '3')),
  }),
);
const specs = fc.array(spec, { maxLength: 4 });

/**
 * One value more than any requirement names, so that "all but these" always leaves one, and a number on either side of
 * every bound.
 */
const values = [undefined, 'x', 'y', 'other', '0', '1', '2', '3', '4'];
const nodes: readonly Labels[] = values.flatMap((a) =>
  values.map((b) => ({ ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) })),
);

const meets = ({ key, operator, values: listed = [] }: RequirementSpec, labels: Labels): boolean => {
  const own = labels[key];
  const number = own !== undefined && /^\d+$/.test(own) ? Number(own) : Number.NaN;
  const bound = Number(listed[0]);
  const answers: Readonly<Record<NodeSelectorOperator, boolean>> = {
    In: own !== undefined && listed.includes(own),
    NotIn: own === undefined || !listed.includes(own),
    Exists: own !== undefined,
    DoesNotExist: own === undefined,
    Gt: number > bound,
    Gte: number >= bound,
    Lt: number < bound,
    Lte: number <= bound,
  };
  return answers[operator];
};
const meetsAll = (all: readonly RequirementSpec[], labels: Labels): boolean => all.every((each) => meets(each, labels));

/** The nodes that a set of requirements admits, read off the written form. */
const admitted = (all: readonly RequirementSpec[]): readonly Labels[] => nodes.filter((labels) => meetsAll(all, labels));

describe('requirements as the sets of nodes that they admit', () => {
  test('a node is judged by its labels as Kubernetes judges it', () => {
    fc.assert(
      fc.property(specs, (written) => {
        const requirements = requirementsOf(written);
        expect(nodes.filter((labels) => firstUnmet(requirements, labels) === undefined)).toEqual(admitted(written));
      }),
    );
  });

  test('merged, they admit what both admit', () => {
    fc.assert(
      fc.property(specs, specs, (a, b) => {
        const merged = merge(requirementsOf(a), requirementsOf(b));
        expect(nodes.filter((labels) => firstUnmet(merged, labels) === undefined)).toEqual(admitted([...a, ...b]));
      }),
    );
  });

  test('they are in conflict exactly when a key that both name leaves no node', () => {
    fc.assert(
      fc.property(specs, specs, (a, b) => {
        const isShared = (key: string): boolean => [a, b].every((side) => side.some((each) => each.key === key));
        const about = (key: string): readonly RequirementSpec[] => [...a, ...b].filter((each) => each.key === key);
        const clashing = keys.filter((key) => isShared(key) && admitted(about(key)).length === 0);
        expect(firstConflict(requirementsOf(a), requirementsOf(b)) !== undefined).toBe(clashing.length > 0);
      }),
    );
  });

  test('a node that has only the labels that are named can be had exactly when some such node is admitted', () => {
    fc.assert(
      fc.property(specs, specs, fc.subarray(keys), (existing, incoming, open) => {
        // `isEmpty` finds a contradiction within one side, key by key; here it is what both say together.
        fc.pre(admitted(existing).length > 0 && admitted(incoming).length > 0);
        const mayHave = new Set([...existing.map(({ key }) => key), ...open]);
        const some = admitted([...existing, ...incoming]).filter((labels) => Object.keys(labels).every((key) => mayHave.has(key)));
        const answer = compatible(requirementsOf(existing), requirementsOf(incoming), { allowUndefined: new Set(open) });
        expect(answer === undefined).toBe(some.length > 0);
      }),
    );
  });

  test('the largest minValues of a key counts, whatever the order', () => {
    const specs = fc.array(fc.tuple(spec, fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined })), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(specs, (all) => {
        const parsed = all.flatMap(([each, minValues]) => [
          ...requirementsOf([{ ...each, key: 'a', ...(minValues === undefined ? {} : { minValues }) }]).values(),
        ]);
        const named = all.flatMap(([, minValues]) => minValues ?? []);
        expect(parsed.reduce(and).minValues).toBe(named.length === 0 ? undefined : Math.max(...named));
      }),
    );
  });
});

describe('what a pod asks, as the nodes that it admits', () => {
  const term: fc.Arbitrary<NodeSelectorTerm> = fc.record({ matchExpressions: specs });

  test('its selector, and any one of its required terms; a term that says nothing admits none', () => {
    const selectors = fc.constantFrom<Labels>({}, {}, { a: 'x' }, { b: '2' });
    fc.assert(
      fc.property(selectors, fc.option(fc.array(term, { minLength: 1, maxLength: 3 })), (nodeSelector, terms) => {
        const required = terms === null ? {} : { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
        const pod: PodSpec = { containers: [], nodeSelector, affinity: { nodeAffinity: required } };
        const asked = podRequirements(pod, defaultLabelCatalog);
        if (isFieldProblem(asked)) throw new Error(asked.problem);
        const isSelected = (labels: Labels): boolean => Object.entries(nodeSelector).every(([key, own]) => labels[key] === own);
        const inTerm = (labels: Labels): boolean =>
          terms === null || terms.some(({ matchExpressions = [] }) => matchExpressions.length > 0 && meetsAll(matchExpressions, labels));
        expect(nodes.filter((labels) => asked.alternatives.some((each) => firstUnmet(each, labels) === undefined))).toEqual(
          nodes.filter((labels) => isSelected(labels) && inTerm(labels)),
        );
      }),
    );
  });

  test('it may use old names and foreign values for labels, in selector and terms', () => {
    const catalog: LabelCatalog = { ...defaultLabelCatalog, normalizedValues: new Map([[names.zone, new Map([['', '0']])]]) };
    const old = 'failure-domain.beta.kubernetes.io/zone';
    const inTerms = (key: string, own: string): PodSpec => ({
      containers: [],
      nodeSelector: { [key]: own },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'NotIn', values: [own, 'eastus-1'] }] }],
          },
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key, operator: 'In', values: [own] }] } },
          ],
        },
      },
    });
    expect(podRequirements(inTerms(old, ''), catalog)).toEqual(podRequirements(inTerms(names.zone, '0'), catalog));
  });
});
