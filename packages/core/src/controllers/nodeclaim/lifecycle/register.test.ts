import { expect, test } from '@jest/globals';
import type { NodeClaim } from '../../../apis/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import { FakeCluster } from '../../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../../fixtures/fake-shell.ts';
import { register } from './register.ts';

test('two nodes with the provider id of one claim: neither is registered, and both are named', async () => {
  const cluster = new FakeCluster();
  const shell = fakeShell(cluster);
  const claim: NodeClaim = {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: { name: 'a', uid: 'uid-a' },
    spec: { requirements: [], nodeClassRef: { group: 'test.dev', kind: 'TestNodeClass', name: 'default' } },
    status: { providerID: 'test:///a' },
  };
  cluster.seed('NodeClaim', claim);
  for (const name of ['one', 'two']) cluster.seed('Node', { metadata: { name }, spec: { providerID: 'test:///a' } });
  await register(shell, claim, new AbortController().signal);
  const said = conditionOf(shell.caches.nodeClaims.get({ name: 'a' })?.status?.conditions, 'Registered');
  expect(said).toMatchObject({ status: 'False', reason: 'MultipleNodesFound', message: 'Nodes: one, two' });
});
