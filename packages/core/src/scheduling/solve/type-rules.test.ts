import { describe, expect, test } from '@jest/globals';
import { emptyBitSet, fullBitSet, hasBit, nextBit } from '../../base/index.ts';
import type { PodClass } from '../pod-classes/pod-class.ts';
import { fitOf } from '../nodes/fit.ts';
import type { LimitLedger } from '../nodes/limits/limit-ledger.ts';
import type { AllowedTypes, Fit } from '../nodes/node-model.ts';
import type { NewNode, Run } from '../nodes/new-nodes/new-node.ts';
import { aState } from '../testing/a-template.ts';
import { forgettingRule, keepingTypes, typeRulesFor } from './type-rules.ts';
import type { Solution, TypeRule } from './solve.ts';

const GIB = 2 ** 30;
const state = aState([1, 2, 4, 8, 16, 32, 64, 128, 256].map((cpus) => ({ cpus, memoryBytes: cpus * 4 * GIB, pricePerHour: cpus })));
const { template } = state;
const all: AllowedTypes = { id: 'all', types: fullBitSet(9) };
const only = (...types: readonly number[]): AllowedTypes => {
  const set = emptyBitSet(9);
  for (const type of types) set[0] = (set[0] ?? 0) | (1 << type);
  return { id: types.join(), types: set };
};
const using = (cpuMillis: number): Float64Array => Float64Array.of(cpuMillis, GIB, 1);

/** A node with one pod that is kept to some types. */
const nodeOn = (allowedTypes: AllowedTypes, cpuMillis = 500, devices?: PodClass['devices']): NewNode => {
  const used = using(cpuMillis);
  const fit = fitOf(state, used, allowedTypes);
  if (fit === undefined) throw new Error('none of the types is large enough');
  const runs = [{ podClass: { devices } as Partial<PodClass> as PodClass, count: 1 } as Partial<Run> as Run];
  return { fit, allowedTypes, used, runs, podCount: 1 };
};

describe('types that may lead to a cheaper plan', () => {
  const keptBy = (rule: TypeRule | undefined): readonly string[] =>
    template.catalog.types.filter((type) => rule?.keeps(type) !== false).map(({ name }) => name.slice(-1));
  const rulesFor = (rule: TypeRule | undefined, ...nodes: readonly NewNode[]) => typeRulesFor(rule, nodes, [template]);

  test('are all but each one that is launched, and those up to each smaller size, the largest first', () => {
    const rules = rulesFor(undefined, nodeOn(only(1)), nodeOn(only(3)), nodeOn(only(3)));
    expect(rules.map(keptBy).map((names) => names.join(''))).toEqual(['02345678', '01245678', '012', '01', '0']);
  });

  test('are at most six sizes', () => {
    expect(
      rulesFor(undefined, nodeOn(only(8)))
        .slice(1)
        .map(keptBy)
        .map((names) => names.length),
    ).toEqual([8, 7, 6, 5, 4, 3]);
  });

  test('are all of them again once a rule held, and the rule without one that is launched', () => {
    const [, one] = rulesFor(undefined, nodeOn(only(1)), nodeOn(only(3)));
    const rules = rulesFor(one, nodeOn(only(2)));
    expect(
      rules
        .slice(0, 2)
        .map(keptBy)
        .map((names) => names.join('')),
    ).toEqual(['012345678', '0145678']);
    expect(new Set(rules.map((rule) => rule?.text)).size).toBe(rules.length);
  });

  test('are those of other pools, where one is no less preferred: a rule closes the pool, and what it closed stays closed', () => {
    const [own, equal] = [template, aState([{ cpus: 4, memoryBytes: GIB, pricePerHour: 1 }]).template];
    const closedBy = (rule: TypeRule | undefined) => [...(rule?.closed ?? [])];
    const rules = typeRulesFor(undefined, [nodeOn(only(0))], [own, equal]);
    expect(rules.map(closedBy)).toEqual([[], [own.pool]]);
    expect(typeRulesFor(undefined, [nodeOn(only(0))], [own]).map(closedBy)).toEqual([[]]);
    const avoided = { ...equal, pool: { ...equal.pool, isAvoided: true as const } };
    expect(typeRulesFor(undefined, [nodeOn(only(0))], [own, avoided]).map(closedBy)).toEqual([[]]);
    const further = typeRulesFor({ text: 'first', keeps: () => true, closed: new Set([equal.pool]) }, [nodeOn(only(0))], [own, equal]);
    expect(further.map(closedBy)).toEqual([[], [equal.pool], [equal.pool, own.pool]]);
    expect(new Set(further.map((rule) => rule?.text)).size).toBe(further.length);
  });

  test('none are launched: none are left out', () => expect(rulesFor(undefined)).toEqual([]));
});

describe('ledgers that keep to types', () => {
  const ledger = { allowedTypes: () => only(0, 1, 2) } as Partial<LimitLedger> as LimitLedger;
  const small: TypeRule = { text: 'up to 2000', keeps: ({ capacity }) => (capacity['cpu'] ?? 0) <= 2000 };
  const first: TypeRule = { text: 'first', keeps: ({ name }) => name === 'machine-00' };
  const typesOf = ({ types }: AllowedTypes): readonly number[] => [0, 1, 2, 3].filter((type) => hasBit(types, type));

  test('allow what the limits and the rule allow, by an id of its own', () => {
    const fresh = aState([1, 2, 4, 8].map((cpus) => ({ cpus, memoryBytes: GIB, pricePerHour: cpus }))).template;
    const allowedBy = (rule: TypeRule): AllowedTypes =>
      keepingTypes(new Map([[fresh, ledger]]), rule)
        .get(fresh)
        ?.allowedTypes() ?? all;
    const [bySmall, byFirst] = [allowedBy(small), allowedBy(first)];
    expect([typesOf(bySmall), typesOf(byFirst)]).toEqual([[0, 1], [0]]);
    expect(bySmall.id).not.toBe(byFirst.id);
    expect(typesOf(ledger.allowedTypes())).toEqual([0, 1, 2]);
    expect(typesOf(allowedBy({ ...small, closed: new Set([fresh.pool]) }))).toEqual([]);
    expect(typesOf(allowedBy({ ...small, closed: new Set([template.pool]) }))).toEqual([0, 1]);
  });
});

describe('a plan without the rule that it was made by', () => {
  const ledgerThat = (mayCharge: boolean, charged: Fit[] = []): LimitLedger =>
    ({ charge: (fit: Fit) => mayCharge && charged.push(fit) > 0 }) as Partial<LimitLedger> as LimitLedger;
  const solutionOf = (...newNodes: readonly NewNode[]): Solution => ({ newNodes }) as Partial<Solution> as Solution;
  const typesAfter = (newNode: NewNode, ledger: LimitLedger): number | undefined => {
    const [after] = forgettingRule(solutionOf(newNode), new Map([[template, ledger]])).newNodes;
    return after && nextBit(after.fit.types, 0);
  };

  test('launches nodes as any type that fits, and counts them as that', () => {
    const charged: Fit[] = [];
    expect(typesAfter(nodeOn(only(5)), ledgerThat(true, charged))).toBe(0);
    expect(charged.map(({ cheapest }) => cheapest.type)).toEqual([0]);
    expect(typesAfter(nodeOn(only(5), 3500), ledgerThat(true))).toBe(2);
  });

  test('keeps to them where the limits of the pool do not allow another, or pods claim devices', () => {
    expect(typesAfter(nodeOn(only(5)), ledgerThat(false))).toBe(5);
    const claiming = nodeOn(only(5), 500, {} as PodClass['devices'] & object);
    expect(typesAfter({ ...claiming, runs: [...claiming.runs, ...nodeOn(only(5)).runs] }, ledgerThat(true))).toBe(5);
  });

  test('launches a node of a pool without a ledger as any type', () => {
    const [after] = forgettingRule(solutionOf(nodeOn(only(5))), new Map()).newNodes;
    expect(after && nextBit(after.fit.types, 0)).toBe(0);
    expect(after?.allowedTypes).toBe(template.everyType);
  });
});
