import { describe, expect } from '@jest/globals';
import { defaultLabelCatalog } from '@karpenter/core';
import type { SkippedRules } from './contract-rules.ts';
import { checkKnobs } from './check-knobs.ts';
import { describeAbilities } from './describe-abilities.ts';
import { describeEitherWay } from './describe-either-way.ts';
import { describeInstanceTypes } from './describe-instance-types.ts';
import { describeMachines } from './describe-machines.ts';
import type { ProviderUnderTest } from './provider-under-test.ts';
import { providerJournal } from './provider-journal.ts';
import { ruleBook } from './rule-book.ts';
import type { RuleBook } from './rule-book.ts';

type Start = () => Promise<ProviderUnderTest>;

const describeSelf = ({ mandatory }: RuleBook, start: Start): void => {
  mandatory('R1', async () => {
    await using subject = await start();
    expect(subject.provider.name).toMatch(/^[a-z][a-z0-9-]*$/);
    const { group, kind } = subject.nodePool.spec.template.spec.nodeClassRef;
    expect(subject.provider.getSupportedNodeClasses()).toContainEqual(expect.objectContaining({ group, kind }));
  });

  mandatory('R2', async () => {
    await using subject = await start();
    const { wellKnown } = subject.provider.labelCatalog;
    expect([...defaultLabelCatalog.wellKnown].filter((label) => !wellKnown.has(label))).toEqual([]);
  });

  mandatory('R25', async () => {
    await using subject = await start();
    const { repairPolicies } = subject.provider;
    const conditions = repairPolicies.map(({ conditionType, conditionStatus }) => `${conditionType}=${conditionStatus}`);
    expect(conditions).toEqual([...new Set(conditions)]);
    expect(repairPolicies.filter(({ tolerationMs }) => !(tolerationMs >= 0))).toEqual([]);
  });

  mandatory('R37', async () => {
    await using subject = await start();
    checkKnobs(subject.provider);
  });
};

/**
 * The contract between core and a cloud, as tests: the rules of `docs/provider-contract.md`, each under its number.
 * Every provider runs all of it; an optional rule that it does not keep is skipped for the reason it gives.
 */
export const describeCloudProvider = (name: string, start: Start, skips: SkippedRules = {}): void => {
  const journal = providerJournal(start);
  const rules = ruleBook(skips, journal);
  describe(`the provider "${name}"`, () => {
    describeSelf(rules, journal.start);
    describeInstanceTypes(rules, journal.start);
    describeMachines(rules, journal.start);
    describeAbilities(rules, journal.start);
    describeEitherWay(rules, journal.start);
    rules.close();
  });
};
