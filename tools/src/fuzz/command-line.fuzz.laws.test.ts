import { expect, test } from '@jest/globals';
import { fuzzCases, mutatedText, mutationsOf, withinCaseTime, withinCaseTimeAsync } from '@karpenter/testkit';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { convertDocuments } from '../../../apps/cli/src/convert/convert-documents.ts';
import { readManifests } from '../../../apps/cli/src/read/manifests.ts';
import { CommandError } from '../../../apps/cli/src/exit-code.ts';
import { parseArguments } from '../../../apps/controller/src/settings/arguments.ts';
import { parseSettings } from '../../../apps/controller/src/settings/parse-settings.ts';

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

/** What YAML has and JSON has not, put in the place of a value: names of anchors may be those of what contains them. */
const YAML_PARTS = [
  '*a',
  '*b',
  '&a',
  '&b {x: *b}',
  '&b [*a, *a]',
  '!!binary aGk=',
  '!!set {x}',
  '!odd x',
  '? {x: y}',
  '<<: *a',
  '|',
  '{{ .x }}',
];

/** A manifest as YAML, with such parts at drawn places; as itself, in a List, or before another document. */
const yamlTexts = fc
  .record({
    manifest: fc.constantFrom(...manifests),
    parts: fc.array(fc.record({ at: fc.nat(40), part: fc.constantFrom(...YAML_PARTS) }), { maxLength: 4 }),
    frame: fc.constantFrom(
      '%',
      '&a\n%',
      '%\n---\n%',
      '&a\napiVersion: v1\nkind: List\nitems: [*a]\n',
      '---\n...\n---\n%',
      'a: &a 1\na: *a\n',
    ),
  })
  .map(({ manifest, parts, frame }) => {
    const lines = stringify(manifest).split('\n');
    for (const { at, part } of parts) {
      const line = at % lines.length;
      lines[line] = (lines[line] ?? '').replace(/(: ?|- )(.*)$/, (_, before: string) => `${before.trimEnd()} ${part}`);
    }
    return frame.replaceAll('%', () => lines.join('\n'));
  });

test('YAML is read as manifests and converted, or refused with a sentence that names the file', async () => {
  await fc.assert(
    fc.asyncProperty(yamlTexts, (text) =>
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

const flags = [
  '--metrics-port=8080',
  '--log-level=info',
  '--batch-max-duration=10s',
  '--feature-gates=NodeRepair=true',
  '--kube-client-qps=5',
  '--preference-price=0.1',
  '--node-price=0.05',
];
const environment = {
  METRICS_PORT: '8080',
  BATCH_IDLE_DURATION: '1s',
  FEATURE_GATES: 'SpotToSpotConsolidation=true',
  LEADER_ELECTION_NAME: 'x',
};

test('flags and variables are taken, or refused with a sentence for each', () => {
  fc.assert(
    fc.property(mutationsOf({ flags, environment }), (mutated) => {
      const { flags: argv, environment: env } = mutated as { readonly flags?: unknown; readonly environment?: unknown };
      const variables = Object.fromEntries(
        Object.entries(typeof env === 'object' && env !== null ? env : {}).map(([name, value]) => [name, mutatedText(value)]),
      );
      withinCaseTime(() => {
        const { given, problems } = parseArguments((Array.isArray(argv) ? argv : []).map(mutatedText));
        const read = parseSettings(given, variables);
        // Each names the flag, or the variable.
        for (const problem of [...problems, ...read.problems]) expect(problem).toMatch(/--|[A-Z]+_[A-Z]+/);
        for (const value of Object.values(read.settings)) expect(Number.isNaN(value)).toBe(false);
      });
    }),
    fuzzCases(10),
  );
});
