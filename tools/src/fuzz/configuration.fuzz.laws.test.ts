import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { providerPlugin } from '@karpenter/kwok';
import { KubeConfigError, loadKubeConfig, OidcError } from '@karpenter/runtime/kubeconfig';
import { fuzzCases, mutationsOf, ODD_TEXTS, withinCaseTime, withinCaseTimeAsync } from '@karpenter/testkit';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { readSchedulerConfig } from '../../../apps/controller/src/settings/scheduler-config/scheduler-config.ts';
import { yamlTextsOf } from './yaml-texts.ts';

const folder = mkdtempSync(join(tmpdir(), 'configuration-'));
afterAll(() => rmSync(folder, { recursive: true }));

const written = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

const instanceTypes = ['spot', 'on-demand'].map((capacityType) => ({
  name: `m-${capacityType}`,
  architecture: 'amd64',
  operatingSystems: ['linux'],
  resources: { cpu: '4', memory: '16Gi', pods: 58, 'ephemeral-storage': '20Gi' },
  offerings: [
    {
      Price: 0.2,
      Available: true,
      Requirements: [
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: [capacityType] },
        { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['z1'] },
      ],
    },
  ],
}));

/** JSON of mutated values, and texts that are not JSON. */
const jsonTexts = (values: object): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 9, arbitrary: mutationsOf(values).map((mutated) => JSON.stringify(mutated)) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  );

test('a file of instance types for kwok is taken, or refused with a sentence that names option and file', () => {
  let refused = 0;
  fc.assert(
    fc.property(jsonTexts(instanceTypes), (text) => {
      const path = written('instance-types.json', text);
      const configured = withinCaseTime(() => providerPlugin.configure({ flags: { 'instance-types-file-path': path }, env: {} }));
      if (configured.ok) return;
      refused += 1;
      for (const problem of configured.problems) expect(problem).toMatch(/^--instance-types-file-path .*: ./);
    }),
    fuzzCases(5),
  );
  expect(refused).toBeGreaterThan(0);
});

const constraint = { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'ScheduleAnyway' };
const args = { kind: 'PodTopologySpreadArgs', defaultConstraints: [constraint], defaultingType: 'List' };
const schedulerConfigs = [
  { podTopologySpread: { defaultConstraints: [constraint, { ...constraint, topologyKey: 'kubernetes.io/hostname' }] } },
  {
    ...{ apiVersion: 'kubescheduler.config.k8s.io/v1', kind: 'KubeSchedulerConfiguration' },
    profiles: [{ schedulerName: 'default-scheduler', pluginConfig: [{ name: 'PodTopologySpread', args }] }],
  },
];

test('a scheduler configuration is read as constraints, or refused with a sentence that names the option', async () => {
  const mutatedTexts = fc
    .tuple(fc.oneof(...schedulerConfigs.map(mutationsOf)), fc.boolean())
    .map(([mutated, isJson]) => (isJson ? JSON.stringify(mutated) : stringify(JSON.parse(JSON.stringify(mutated)))));
  let [taken, refused] = [0, 0];
  await fc.assert(
    fc.asyncProperty(fc.oneof(mutatedTexts, yamlTextsOf(schedulerConfigs)), (text) =>
      withinCaseTimeAsync(async () => {
        const { constraints, problems } = await readSchedulerConfig(text);
        for (const problem of problems) expect(problem).toMatch(/^--scheduler-config \(SCHEDULER_CONFIG\): ./);
        if (problems.length > 0) refused += 1;
        else taken += constraints.length;
        for (const { maxSkew, topologyKey } of problems.length > 0 ? [] : constraints) {
          expect(Number.isSafeInteger(maxSkew) && maxSkew > 0).toBe(true);
          expect([typeof topologyKey, topologyKey !== '']).toEqual(['string', true]);
        }
      }),
    ),
    fuzzCases(5),
  );
  expect([taken > 0, refused > 0]).toEqual([true, true]);
});

const jwtOf = (payload: object): string => `e30.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.c2ln`;
const kubeConfig = {
  ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'a' },
  clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:6443', 'certificate-authority-data': 'Y2E=', 'tls-server-name': 'a' } }],
  contexts: [{ name: 'a', context: { cluster: 'a', user: 'a', namespace: 'shop' } }],
};
const users = [
  { token: 'abc' },
  { username: 'a', password: 'b' },
  { 'client-certificate-data': 'Y2VydA==', 'client-key-data': 'a2V5' },
  { 'auth-provider': { name: 'oidc', config: { 'id-token': jwtOf({ exp: 4_102_444_800 }), 'client-id': 'a' } } },
  { 'auth-provider': { name: 'oidc', config: { 'id-token': jwtOf({ exp: 'soon' }), 'client-id': 'a' } } },
].map((user) => ({ ...kubeConfig, users: [{ name: 'a', user }] }));

/** Whether the error is one of those that reading a kubeconfig states. */
const isNamed = (error: unknown): boolean => error instanceof KubeConfigError || error instanceof OidcError;

test('a kubeconfig gives a connection with headers, or is refused with a sentence that names the file', async () => {
  let [taken, refused] = [0, 0];
  const texts = fc.oneof(
    fc.oneof(...users.map(mutationsOf)).map((mutated) => JSON.stringify(mutated)),
    yamlTextsOf(users),
  );
  await fc.assert(
    fc.asyncProperty(texts, (text) =>
      withinCaseTimeAsync(async () => {
        const path = written('kubeconfig', text);
        try {
          const { server, credentials } = await loadKubeConfig({ path });
          const headers = (await credentials?.headers()) ?? {};
          expect([typeof server, Object.values(headers).every((value) => typeof value === 'string')]).toEqual(['string', true]);
          taken += 1;
        } catch (error) {
          if (!isNamed(error)) throw error;
          refused += 1;
          if (error instanceof KubeConfigError) expect(error.message).toContain(path);
        }
      }),
    ),
    fuzzCases(5),
  );
  expect([taken > 0, refused > 0]).toEqual([true, true]);
});
