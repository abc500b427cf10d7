import { expect, test } from '@jest/globals';
import type { NodeClaim } from '../../../apis/index.ts';
import type { Machine } from '../../../cloudprovider/index.ts';
import { FakeCluster } from '../../../ports/fixtures/fake-cluster.ts';
import { fakeShell } from '../../fixtures/fake-shell.ts';
import { aNodeClaim, nodeClassRef } from '../../../testing/objects.ts';
import { garbageCollection } from './garbage-collection.ts';

const { signal } = new AbortController();

const registeredClaim = (kind = 'TestNodeClass'): NodeClaim =>
  aNodeClaim('a', {
    spec: { nodeClassRef: { ...nodeClassRef, kind } },
    status: { providerID: 'test:///a', conditions: [{ type: 'Registered', status: 'True' }] },
  });

const machine: Machine = { providerId: 'test:///a', claimName: 'a', labels: {}, capacity: {}, allocatable: {} };

const writesAfter = async (claim: NodeClaim, known: Machine | undefined): Promise<readonly string[]> => {
  const cluster = new FakeCluster();
  cluster.seed('NodeClaim', claim);
  await garbageCollection(fakeShell(cluster, { get: () => Promise.resolve(known) })).reconcile({ signal });
  return cluster.writes;
};

test('a claim whose machine is gone is deleted', async () => {
  expect(await writesAfter(registeredClaim(), undefined)).toEqual(['delete NodeClaim a']);
});

test('a claim whose machine the list does not show yet stays, while its node is still coming up', async () => {
  expect(await writesAfter(registeredClaim(), machine)).toEqual([]);
});

test('machines without a claim are deleted until a pass has taken its period: one that never ended would count as stuck', async () => {
  const deleted: string[] = [];
  const orphans = ['a', 'b', 'c'].map((name) => ({ ...machine, providerId: `test:///${name}`, claimName: name }));
  const shell = fakeShell(new FakeCluster(), {
    list: () => Promise.resolve(orphans),
    delete: async ({ metadata }) => {
      await shell.clock.advance(60_000);
      deleted.push(metadata.name);
      return 'gone';
    },
  });
  await garbageCollection(shell).reconcile({ signal });
  expect(deleted).toEqual(['a', 'b']);
});

test('a claim of another provider stays, though this cloud knows no machine of it', async () => {
  expect(await writesAfter(registeredClaim('ForeignNodeClass'), undefined)).toEqual([]);
});

test('a machine that the cloud does not delete holds up no other, and a claim that cannot be judged holds up no machine', async () => {
  const deleted: string[] = [];
  const orphans = ['stuck', 'loose'].map((name) => ({ ...machine, providerId: `test:///${name}`, claimName: name }));
  const cluster = new FakeCluster();
  cluster.seed('NodeClaim', registeredClaim());
  const shell = fakeShell(cluster, {
    list: () => Promise.resolve(orphans),
    get: () => Promise.reject(new Error('the cloud does not answer')),
    delete: ({ metadata: { name } }) => {
      if (name === 'stuck') return Promise.reject(new Error('the machine is locked'));
      deleted.push(name);
      return Promise.resolve('gone');
    },
  });
  const pass = garbageCollection(shell).reconcile({ signal });
  await expect(pass).rejects.toMatchObject({ errors: [new Error('the cloud does not answer'), new Error('the machine is locked')] });
  expect(deleted).toEqual(['loose']);
});

test('when a claim triggers a bug › it is left out by name, and the other claim is collected', async () => {
  const cluster = new FakeCluster();
  const odd = aNodeClaim('odd', { status: { providerID: 'test:///odd', conditions: [{ type: 'Registered', status: 'True' }] } });
  for (const claim of [odd, registeredClaim()]) cluster.seed('NodeClaim', claim);
  cluster.seed('Node', { metadata: { name: 'odd' }, spec: { providerID: 'test:///odd' }, status: { conditions: [null] } });
  const shell = fakeShell(cluster);
  await garbageCollection(shell).reconcile({ signal });
  expect(cluster.writes).toEqual(['delete NodeClaim a']);
  expect(shell.reported).toContainEqual(
    expect.objectContaining({ kind: 'quarantined', subjects: [expect.objectContaining({ kind: 'NodeClaim', name: 'odd' })] }),
  );
});
