import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { ApiError, type ApiServer, startApiServer } from '@karpenter/api-server';
import { fuzzCases, mutationsOf, ObjectDrawing, publishedSchemas, withinCaseTime } from '@karpenter/testkit';
import fc from 'fast-check';
import { type AKSNodeClass, aksNodeClassCrd, nodeClassHashOf, nodeSettingsSchema, schemaProblems } from '../apis/index.ts';
import { aksKubeletConfigOf, aksLinuxConfigOf, aksLocalDnsOf, customDataOf, kubeletFlagsOf } from '../bootstrap/index.ts';
import { aFullNodeClass } from '../testing/a-full-node-class.ts';
import { aBootstrapSource } from '../testing/bootstrap-source.ts';

let server: ApiServer;
beforeAll(async () => {
  server = await startApiServer({ clock: fakeClock(Date.UTC(2026, 0, 1)) });
  server.installCrds(JSON.stringify(aksNodeClassCrd));
});
afterAll(() => server.close());

const { metadata, spec } = aFullNodeClass;

/** The class as the API server has it; undefined where it is refused, which must name why. */
const stored = (nodeClass: typeof aFullNodeClass): AKSNodeClass | undefined => {
  try {
    const created = server.local.create(JSON.parse(JSON.stringify(nodeClass)) as typeof aFullNodeClass);
    server.local.patch(created, metadata, { type: 'merge', body: { metadata: { finalizers: null } } });
    server.local.delete(created, metadata);
    return created as unknown as AKSNodeClass;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.message).toMatch(/\S/);
    return undefined;
  }
};

const kubeletSettings = {
  kubernetesVersion: '1.33.4',
  maxPods: 30,
  kubeReserved: { cpuMillis: 100, memoryMiB: 1843 },
  clusterDns: '10.0.0.10',
  taints: [],
};

/** What stands in a text where a value was read wrongly. */
const UNREAD = /NaN|undefined|Infinity|\[object/;

/** What becomes of the classes that the API server accepts. */
const holds = (classes: fc.Arbitrary<typeof aFullNodeClass>): void => {
  let accepted = 0;
  expect(stored(aFullNodeClass)).toBeDefined();
  fc.assert(
    fc.property(classes, (drawn) => {
      const nodeClass = stored(drawn);
      if (nodeClass === undefined) return;
      accepted += 1;
      const { kubelet = {}, linuxOSConfig = {} } = nodeClass.spec ?? {};
      withinCaseTime(() => {
        expect(nodeClassHashOf(nodeClass)).not.toBe('');
        expect(schemaProblems(nodeSettingsSchema, nodeClass.spec, 'spec')).toEqual([]);
        const flags = kubeletFlagsOf({ ...kubeletSettings, kubelet });
        expect(customDataOf(aBootstrapSource({ kubeletFlags: flags }))).not.toBe('');
        const settings = JSON.stringify([aksKubeletConfigOf(kubelet), aksLinuxConfigOf(linuxOSConfig), aksLocalDnsOf(nodeClass)]);
        // What the class itself says may read like this.
        if (!UNREAD.test(JSON.stringify(nodeClass.spec))) expect(`${settings} ${flags.join(' ')}`).not.toMatch(UNREAD);
      });
    }),
    fuzzCases(3),
  );
  expect(accepted).toBeGreaterThan(0);
};

describe('an AKSNodeClass that the API server accepts becomes custom data and settings of AKS:', () => {
  test('mutated', () => holds(mutationsOf(spec).map((mutated) => ({ ...aFullNodeClass, spec: mutated as typeof spec }))));

  test('drawn from its schema', async () => {
    holds(new ObjectDrawing(await publishedSchemas(server.url), [aFullNodeClass]).around(aFullNodeClass));
  });
});
