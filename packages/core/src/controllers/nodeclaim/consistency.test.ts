import { describe, expect, test } from '@jest/globals';
import type { NodeClaim } from '../../apis/index.ts';
import { conditionOf } from '../../kube/index.ts';
import type { ResourceList } from '../../kube/index.ts';
import { FakeCluster } from '../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../fixtures/fake-shell.ts';
import { aNodeClaim } from '../../testing/objects.ts';
import { consistency } from './consistency.ts';

const { signal } = new AbortController();

const sizedClaim = (isUp: boolean): NodeClaim =>
  aNodeClaim('a', {
    spec: { resources: { requests: { cpu: '1', memory: '1Gi' } } },
    status: {
      providerID: 'test:///a',
      capacity: { cpu: '4', memory: '16Gi', 'ephemeral-storage': '100Gi' },
      ...(isUp ? { conditions: [{ type: 'Initialized', status: 'True' }] } : {}),
    },
  });

const checked = async (capacity: ResourceList, isUp = true) => {
  const cluster = new FakeCluster();
  cluster.seed('NodeClaim', sizedClaim(isUp));
  cluster.seed('Node', { metadata: { name: 'n' }, spec: { providerID: 'test:///a' }, status: { capacity } });
  const shell = fakeShell(cluster);
  const claim = shell.caches.nodeClaims.get({ name: 'a' });
  if (claim !== undefined) await consistency(shell).reconcile(claim, { signal });
  const after = shell.caches.nodeClaims.get({ name: 'a' });
  return { says: conditionOf(after?.status?.conditions, 'ConsistentStateFound'), reported: shell.reported };
};

describe('a node that runs', () => {
  test('is as expected with nine tenths of what was promised; what was not asked for does not count', async () => {
    const { says, reported } = await checked({ cpu: '4', memory: '14.5Gi', 'ephemeral-storage': '1Gi' });
    expect(says).toMatchObject({ status: 'True' });
    expect(reported).toEqual([]);
  });

  test('is not as expected with less, which the claim and an event say', async () => {
    const message = 'expected 16Gi of resource memory, but found 14Gi';
    const { says, reported } = await checked({ cpu: '4', memory: '14Gi' });
    expect(says).toMatchObject({ status: 'False', reason: 'ConsistencyCheckFailed', message });
    expect(reported).toMatchObject([{ kind: 'claim-inconsistent', message }]);
  });

  test('is not judged before it is initialized', async () => {
    expect((await checked({ cpu: '1' }, false)).says).toBeUndefined();
  });
});
