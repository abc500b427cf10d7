import { expect, test } from '@jest/globals';
import { fuzzCases, mutationsOf, ODD_TEXTS, withinCaseTime, withinCaseTimeAsync } from '@karpenter/testkit';
import fc from 'fast-check';
import { convertDocuments } from '../../../apps/cli/src/convert/convert-documents.ts';
import { readManifests } from '../../../apps/cli/src/read/manifests.ts';
import { CommandError } from '../../../apps/cli/src/exit-code.ts';
import { parseArguments } from '../../../apps/controller/src/settings/arguments.ts';
import { optionsWithoutEffect, optionsOfTheOriginal } from '../../../apps/controller/src/settings/options-of-the-original.ts';
import { options } from '../../../apps/controller/src/settings/options.ts';
import { parseSettings } from '../../../apps/controller/src/settings/settings-parser.ts';
import { azureOptionNames } from '../../../packages/azure/src/options/azure-option-names.ts';
import { parseAzureOptions } from '../../../packages/azure/src/options/azure-options-parser.ts';
import { yamlTextsOf } from './yaml-texts.ts';

const machine = {
  requirements: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z1'] }],
  taints: [{ key: 'a', effect: 'NoSchedule' }],
  kubelet: { maxPods: 30, clusterDNS: ['10.0.0.10'], evictionHard: { 'memory.available': '5%' } },
  resources: { requests: { cpu: '1' } },
};
const metadata = { name: 'general', labels: { team: 'a' }, annotations: { note: 'x' } };
const nodeClassRef = { apiVersion: 'karpenter.azure.com/v1alpha2', kind: 'AKSNodeClass', name: 'default' };

/** One of each kind that is converted, in its former version, and what is not converted at all. */
const manifests = [
  {
    ...{ apiVersion: 'karpenter.sh/v1beta1', kind: 'NodePool', metadata },
    spec: {
      ...{ weight: 10, limits: { cpu: '100' } },
      disruption: { consolidationPolicy: 'WhenUnderutilized', expireAfter: '720h', budgets: [{ nodes: '10%' }] },
      template: { metadata, spec: { ...machine, nodeClassRef } },
    },
  },
  { apiVersion: 'karpenter.sh/v1beta1', kind: 'NodeClaim', metadata, spec: { ...machine, nodeClassRef } },
  {
    ...{ apiVersion: 'karpenter.sh/v1alpha5', kind: 'Provisioner', metadata },
    spec: {
      ...machine,
      providerRef: { name: 'default' },
      ttlSecondsAfterEmpty: 30,
      consolidation: { enabled: true },
      limits: { resources: { cpu: '1' } },
    },
  },
  {
    ...{ apiVersion: 'karpenter.azure.com/v1alpha2', kind: 'AKSNodeClass', metadata },
    spec: { imageFamily: 'Ubuntu2204', osDiskSizeGB: 128, tags: { a: 'b' } },
  },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { key: 'value' } },
];

test('manifests are converted, or refused with a sentence that names the file', () => {
  fc.assert(
    fc.property(fc.oneof(...manifests.map(mutationsOf)), (mutated) => {
      const text = `${JSON.stringify(mutated)}\n---\n${JSON.stringify(manifests.at(-1))}`;
      const converted = withinCaseTime(() => convertDocuments(text, 'pools.yaml'));
      if (!converted.ok) for (const problem of converted.problems) expect(problem).toContain('pools.yaml');
    }),
    fuzzCases(10),
  );
});

test('YAML is read as manifests and converted, or refused with a sentence that names the file', async () => {
  await fc.assert(
    fc.asyncProperty(yamlTextsOf(manifests), (text) =>
      withinCaseTimeAsync(async () => {
        const converted = convertDocuments(text, 'pools.yaml');
        if (!converted.ok) for (const problem of converted.problems) expect(problem).toMatch(/^pools\.yaml: ./);
        const error = await readManifests(['pools.yaml'], () => Promise.resolve(text)).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error === undefined) return;
        expect(error).toBeInstanceOf(CommandError);
        expect((error as CommandError).message).toMatch(/^pools\.yaml cannot be read: ./);
      }),
    ),
    fuzzCases(2),
  );
});

const tables = [...Object.values(options), ...Object.values(azureOptionNames), ...optionsOfTheOriginal];
const flagsThereAre = tables.flatMap((option) => ('flag' in option ? [option.flag] : []));
const variablesThereAre = [...tables.map(({ env }) => env), 'ARM_SUBSCRIPTION_ID', 'ARM_TENANT_ID'];
/** What one option or another takes, and what programs trip over. */
const texts = fc.oneof(
  fc.constantFrom(...tables.map(({ defaultText }) => defaultText), 'true', '1h', '0.5', 'cpu=1', 'a=b', 'https://a.example', 'eastus'),
  fc.constantFrom(...ODD_TEXTS),
);
const given = fc.record({
  flags: fc.array(fc.tuple(fc.constantFrom(...flagsThereAre, 'constructor', '__proto__'), texts), { maxLength: 6 }),
  environment: fc.array(fc.tuple(fc.constantFrom(...variablesThereAre), texts), { maxLength: 6 }),
});

test('each flag and variable of the tables is taken, or refused with a sentence that names one that was given or is missing', () => {
  fc.assert(
    fc.property(given, ({ flags, environment }) => {
      withinCaseTime(() => {
        const read = parseArguments(flags.map(([name, text]) => `--${name}=${text}`));
        const variables = Object.fromEntries(environment);
        const settings = parseSettings(read.given, variables);
        const azure = parseAzureOptions({ flags: read.given, env: variables });
        const own = [...read.problems, ...settings.problems, ...optionsWithoutEffect(read.given, variables)];
        const named = [...flags.map(([name]) => `--${name}`), ...environment.map(([name]) => name)];
        for (const problem of own) expect([problem, named.some((name) => problem.includes(name))]).toEqual([problem, true]);
        const known = [...flagsThereAre.map((name) => `--${name}`), ...variablesThereAre];
        for (const problem of azure.ok ? [] : azure.problems)
          expect([problem, known.some((name) => problem.includes(name))]).toEqual([problem, true]);
        for (const value of Object.values(settings.settings)) expect(Number.isNaN(value)).toBe(false);
        const counts = new Map<string, number>();
        for (const [name] of flags) counts.set(name, (counts.get(name) ?? 0) + 1);
        expect(read.problems).toHaveLength(flags.length - counts.size);
      });
    }),
    fuzzCases(10),
  );
});
