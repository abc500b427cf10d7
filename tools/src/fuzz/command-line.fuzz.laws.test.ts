import { expect, test } from '@jest/globals';
import { fuzzCases, mutatedText, mutationsOf, withinCaseTime } from '@karpenter/testkit';
import fc from 'fast-check';
import { convertDocuments } from '../../../apps/cli/src/convert/convert-documents.ts';
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
        for (const problem of [...problems, ...read.problems]) expect(problem).toMatch(/\S/);
        for (const value of Object.values(read.settings)) expect(Number.isNaN(value)).toBe(false);
      });
    }),
    fuzzCases(10),
  );
});
