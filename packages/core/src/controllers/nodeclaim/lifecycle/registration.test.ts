import { describe, expect, test } from '@jest/globals';
import { KubeError } from '@karpenter/runtime';
import type { KubeObject, ObjectKey, Patch } from '@karpenter/runtime';
import { hashAnnotations } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { CloudProviderError } from '../../../cloudprovider/index.ts';
import type { HookAnswer } from '../../../cloudprovider/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import { FakeCluster } from '../../../ports/fixtures/fake-cluster.ts';
import { aNodePool } from '../../../testing/objects.ts';
import { fakeShell } from '../../fixtures/fake-shell.ts';
import { register } from './registration.ts';

const { signal } = new AbortController();
const unregistered = { key: 'karpenter.sh/unregistered', effect: 'NoExecute' } as const;
const claim: NodeClaim = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: { name: 'a', uid: 'uid-a', labels: { team: 'a' } },
  spec: { requirements: [], nodeClassRef: { group: 'test.dev', kind: 'TestNodeClass', name: 'default' } },
  status: { providerID: 'test:///a' },
};

/** The claim, and a node for each name; hooks answer in the order of their names. */
const aRegistrationScene = (
  nodeNames: readonly string[],
  answers: Readonly<Record<string, HookAnswer | Error>> = {},
  nodeLabels: Readonly<Record<string, string>> = {},
) => {
  const cluster = new FakeCluster();
  const registrationHooks = Object.entries(answers).map(([name, answer]) => ({
    name,
    check: () => (answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer)),
  }));
  const shell = fakeShell(cluster, { registrationHooks });
  cluster.seed('NodeClaim', claim);
  for (const name of nodeNames)
    cluster.seed('Node', { metadata: { name, labels: nodeLabels }, spec: { providerID: 'test:///a', taints: [unregistered] } });
  const seen = () => shell.caches.nodeClaims.get({ name: 'a' });
  return {
    register: () => register(shell, claim, signal),
    claim: seen,
    node: () => shell.caches.nodes.get({ name: 'one' }),
    registered: () => conditionOf(seen()?.status?.conditions, 'Registered'),
  };
};

test('two nodes with the provider id of one claim: neither is registered, and both are named', async () => {
  const scene = aRegistrationScene(['one', 'two']);
  await scene.register();
  expect(scene.registered()).toMatchObject({ status: 'False', reason: 'MultipleNodesFound', message: 'Nodes: one, two' });
});

test('a claim is reported as registered though its pool was written by somebody else meanwhile', async () => {
  const cluster = new (class extends FakeCluster {
    override patchStatus<T extends KubeObject>(kind: string, key: ObjectKey, patch: Patch): Promise<T | undefined> {
      const conflict = new KubeError('conflict', { code: 'conflict', cause: undefined });
      return kind === 'NodePool' ? Promise.reject(conflict) : super.patchStatus(kind, key, patch);
    }
  })();
  const owner = { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: 'general', uid: 'uid-general' };
  const pool = aNodePool('general', { metadata: { uid: owner.uid } });
  const said = { labels: { 'karpenter.sh/nodepool': 'general' }, annotations: hashAnnotations(pool) };
  const owned = { ...claim, metadata: { ...claim.metadata, ...said, ownerReferences: [owner] } };
  cluster.seed('NodePool', pool);
  cluster.seed('NodeClaim', owned);
  cluster.seed('Node', { metadata: { name: 'one' }, spec: { providerID: 'test:///a', taints: [unregistered] } });
  const shell = fakeShell(cluster);
  await expect(register(shell, owned, signal)).rejects.toThrow('conflict');
  expect(shell.reported.map(({ kind }) => kind)).toEqual(['registered']);
});

describe('hooks of the provider', () => {
  const taint = { key: 'network', value: 'slow', effect: 'NoSchedule' } as const;
  const adds = { labels: { rack: 'r1' }, annotations: { 'example.com/switch': 's7' }, taints: [taint] };

  test('add labels and annotations to claim and node, and taints to the node, when it loses the unregistered taint', async () => {
    const scene = aRegistrationScene(['one'], { RackKnown: { kind: 'satisfied', adds } });
    await scene.register();
    expect(scene.registered()?.status).toBe('True');
    for (const object of [scene.claim(), scene.node()]) {
      expect(object?.metadata.labels).toMatchObject({ team: 'a', rack: 'r1' });
      expect(object?.metadata.annotations).toMatchObject({ 'example.com/switch': 's7' });
    }
    expect(scene.node()?.spec?.taints).toEqual([taint]);
    expect(scene.claim()?.spec).toEqual(claim.spec);
  });

  test('add their taints also to a node whose bootstrap sets those of the claim itself', async () => {
    const scene = aRegistrationScene(['one'], { RackKnown: { kind: 'satisfied', adds } }, { 'karpenter.sh/do-not-sync-taints': 'true' });
    await scene.register();
    expect(scene.node()?.spec?.taints).toEqual([taint]);
  });

  test('make their taints expected on the next nodes of the pool where those keep away a pod of this one', async () => {
    const cases = [
      { tolerations: [], startupTaints: [], expected: [taint] },
      { tolerations: [{ operator: 'Exists' }], startupTaints: [], expected: [] },
      // Somebody removes it once the node is ready.
      { tolerations: [], startupTaints: [taint], expected: [] },
    ];
    for (const { tolerations, startupTaints, expected } of cases) {
      const cluster = new FakeCluster();
      const shell = fakeShell(cluster, {
        registrationHooks: [{ name: 'RackKnown', check: () => Promise.resolve({ kind: 'satisfied', adds }) }],
      });
      const pooled = {
        ...claim,
        metadata: {
          ...claim.metadata,
          labels: { 'karpenter.sh/nodepool': 'general' },
          annotations: { 'karpenter.sh/planned-pods': 'uid-web' },
        },
        spec: { ...claim.spec, startupTaints },
      };
      const status = { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] };
      cluster.seed('Pod', {
        metadata: { name: 'web', namespace: 'default', uid: 'uid-web' },
        spec: { containers: [], tolerations },
        status,
      });
      cluster.seed('NodeClaim', pooled);
      cluster.seed('Node', { metadata: { name: 'one' }, spec: { providerID: 'test:///a', taints: [unregistered] } });
      await register(shell, pooled, signal);
      expect(shell.state.launches.hookTaints.of('general')).toEqual(expected);
    }
  });

  test('add nothing while another hook waits', async () => {
    const scene = aRegistrationScene(['one'], { RackKnown: { kind: 'satisfied', adds }, RouteMade: { kind: 'waiting', inMs: 500 } });
    expect(await scene.register()).toBe(500);
    expect(scene.registered()).toMatchObject({ reason: 'RegistrationHookPending', message: 'RouteMade' });
    expect(scene.claim()?.metadata.labels).toEqual({ team: 'a' });
    expect(scene.node()?.spec?.taints).toEqual([unregistered]);
  });

  test('are named by the condition when one fails, which is thrown for the loop to ask again', async () => {
    const failure = new CloudProviderError('network', 'no answer');
    const scene = aRegistrationScene(['one'], { RackKnown: failure, RouteMade: { kind: 'waiting' } });
    await expect(scene.register()).rejects.toBe(failure);
    expect(scene.registered()).toMatchObject({ reason: 'RegistrationHookPending', message: 'RackKnown, RouteMade' });
  });

  test('win over the claim, and one whose name comes later over the others', async () => {
    const b: HookAnswer = { kind: 'satisfied', adds: { labels: { team: 'b' } } };
    const scene = aRegistrationScene(['one'], { Zeta: b, Alpha: { kind: 'satisfied', adds: { labels: { team: 'c' } } } });
    await scene.register();
    expect(scene.node()?.metadata.labels).toMatchObject({ team: 'b' });
  });
});
