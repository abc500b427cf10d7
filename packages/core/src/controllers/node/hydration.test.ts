import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '../../apis/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { claimHydration, nodeHydration } from './hydration.ts';

const { signal } = new AbortController();

const hydrate = async (kind: string, nodeLabels: Readonly<Record<string, string>>) => {
  const cluster = new FakeCluster();
  const claim: NodeClaim = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: 'a', uid: 'uid-a', labels: { team: 'x' } },
    spec: { requirements: [], nodeClassRef: { group: 'test.dev', kind, name: 'blue' } },
    status: { providerID: 'test:///a' },
  };
  cluster.seed('NodeClaim', claim);
  cluster.seed('Node', { metadata: { name: 'n', labels: nodeLabels }, spec: { providerID: 'test:///a' } });
  const shell = fakeShell(cluster);
  const { nodeClaims, nodes } = shell.caches;
  for (const each of nodeClaims.list()) await claimHydration(shell).reconcile(each, { signal });
  for (const each of nodes.list()) await nodeHydration(shell).reconcile(each, { signal });
  return { claim: nodeClaims.get({ name: 'a' })?.metadata.labels, node: nodes.get({ name: 'n' })?.metadata.labels, writes: cluster.writes };
};

describe('what an older version made', () => {
  test('says by which NodeClass, on the claim and on the node', async () => {
    const { claim, node } = await hydrate('TestNodeClass', { 'karpenter.sh/registered': 'true' });
    expect(claim).toEqual({ team: 'x', 'test.dev/testnodeclass': 'blue' });
    expect(node).toEqual({ 'karpenter.sh/registered': 'true', 'test.dev/testnodeclass': 'blue' });
  });

  test('is left alone where it belongs to another provider', async () => {
    expect((await hydrate('ForeignNodeClass', { 'karpenter.sh/registered': 'true' })).writes).toEqual([]);
  });

  test('a node that is still joining gets its labels with the rest', async () => {
    expect((await hydrate('TestNodeClass', {})).writes).toEqual(['patch NodeClaim a']);
  });
});
