import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseAzureOptions } from '@karpenter/azure';
import { parse } from 'yaml';
import { defaultFeatureGates } from '../settings/feature-gates.ts';
import { options } from '../settings/options.ts';
import { parseSettings } from '../settings/settings-parser.ts';
import { charts } from './helm.ts';
import { variableOf } from './variable-of.ts';

type Values = Readonly<Record<string, unknown>>;
type Schema = Readonly<
  Record<'settings' | 'azure', { readonly properties: Readonly<Record<string, { readonly enum?: readonly string[] }>> }>
>;

const read = (name: string): unknown => parse(readFileSync(join(charts.controller, name), 'utf8'));
const values = read('values.yaml') as Readonly<Record<'settings' | 'azure', Values>>;
const { properties } = read('values.schema.json') as { readonly properties: Schema };

/** What a reader of the environment asks it for. */
const variablesReadBy = (reading: (env: Record<string, string | undefined>) => unknown): readonly string[] => {
  const asked = new Set<string>();
  const env = new Proxy<Record<string, string | undefined>>({}, { get: (_env, name) => void asked.add(String(name)) });
  reading(env);
  return [...asked].sort();
};

/** Options that are no values, and why. */
const KUBECONFIG = 'KUBECONFIG'; // In a pod the service account is used.
const LEASE_NAMESPACE = 'LEADER_ELECTION_NAMESPACE'; // That of the release.
const TOKEN = 'KUBELET_BOOTSTRAP_TOKEN'; // From a Secret.
const SECOND_NAMES = ['ARM_SUBSCRIPTION_ID', 'AZURE_TENANT_ID']; // The values set AZURE_SUBSCRIPTION_ID and ARM_TENANT_ID.

const keysOf = (object: Values): readonly string[] => Object.keys(object).map(variableOf).sort();

describe('the values', () => {
  test('name every option of the controller, and no other', () => {
    const known = variablesReadBy((env) => parseSettings({}, env));
    expect(keysOf(values.settings)).toEqual(known.filter((name) => name !== KUBECONFIG && name !== LEASE_NAMESPACE));
  });

  test('name every option of the Azure provider, and no other', () => {
    // A second name is read only where the first is set.
    const known = [...new Set([...variablesReadBy((env) => parseAzureOptions({ env, flags: {} })), 'ARM_TENANT_ID'])].sort();
    expect(keysOf(values.azure)).toEqual(known.filter((name) => name !== TOKEN && !SECOND_NAMES.includes(name)));
  });

  test('hold the defaults of the controller', () => {
    const environment = Object.fromEntries(
      Object.entries(values.settings)
        .filter(([key, value]) => key !== 'featureGates' && value !== null)
        .map(([key, value]) => [variableOf(key), String(value)]),
    );
    expect(parseSettings({}, environment)).toEqual(parseSettings({}, {}));
    expect(values.settings['featureGates']).toEqual(defaultFeatureGates);
  });
});

describe('the schema of the values', () => {
  test.each(['settings', 'azure'] as const)('knows every one of %s', (part) => {
    expect(Object.keys(properties[part].properties).sort()).toEqual(Object.keys(values[part]).sort());
  });

  test('offers the choices that the controller takes', () => {
    const byVariable = new Map(Object.values(options).map((option) => [option.env, option]));
    for (const [key, { enum: choices = [] }] of Object.entries(properties.settings.properties)) {
      for (const choice of choices) expect([choice, byVariable.get(variableOf(key))?.parse(choice)]).toEqual([choice, { value: choice }]);
    }
  });

  test('offers the choices that the provider takes', () => {
    for (const [key, { enum: choices = [] }] of Object.entries(properties.azure.properties)) {
      for (const choice of choices) {
        const variable = variableOf(key);
        const parsed = parseAzureOptions({ env: { [variable]: choice }, flags: {} });
        expect(parsed.ok ? [] : parsed.problems.filter((problem) => problem.includes(variable))).toEqual([]);
      }
    }
  });
});
