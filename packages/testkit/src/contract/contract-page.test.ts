import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { mandatoryRules, optionalRules } from './contract-rules.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'provider-contract.md'), 'utf8');

const ROW = /^\| (R\d+) \| (mandatory|optional) \| (.+) \|$/gm;

const written = [...page.matchAll(ROW)].map(([, rule, force, text]) => ({ rule, force, text }));

const asForce = (rules: Readonly<Record<string, string>>, force: string) =>
  Object.entries(rules).map(([rule, text]) => ({ rule, force, text }));

test('the page of the contract and the suite have the same rules, under the same numbers, in order', () => {
  const numberOf = ({ rule }: { readonly rule: string }): number => Number(rule.slice(1));
  const known = [...asForce(mandatoryRules, 'mandatory'), ...asForce(optionalRules, 'optional')];
  expect(written).toEqual(known.sort((a, b) => numberOf(a) - numberOf(b)));
  expect(written.map(({ rule }) => rule)).toEqual(written.map((_, index) => `R${index + 1}`));
});
