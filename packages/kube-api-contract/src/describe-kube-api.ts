import { afterAll, beforeAll, describe } from '@jest/globals';
import { createCrudCases } from './cases/crud-cases.ts';
import { createCrdCases } from './cases/crd-cases.ts';
import { createListCases } from './cases/list-cases.ts';
import { createPatchCases } from './cases/patch-cases.ts';
import { createPodCases } from './cases/pod-cases.ts';
import { createWatchCases } from './cases/watch-cases.ts';
import { type Connection, createRawKubeClient, type RawKubeClient } from './kube-client.ts';
import type { SuiteStage } from './stage.ts';

/** A server under test. Disposing it ends it. */
export interface ServerUnderTest extends AsyncDisposable {
  readonly connection: Connection;
}

/**
 * States how a kube-apiserver behaves, alone: no controller manager, no scheduler, no kubelet. What needs those
 * (garbage collection, namespace deletion, pod status, disruption budgets' status) is no part of it. Every case holds
 * on a real kube-apiserver; where a server differs, the server is wrong.
 */
export const describeKubeApi = (name: string, connect: () => Promise<ServerUnderTest>): void => {
  describe(`Kubernetes API: ${name}`, () => {
    let server: ServerUnderTest | undefined;
    let client: RawKubeClient | undefined;
    const namespace = `contract-${process.pid}-${Date.now().toString(36)}`;
    beforeAll(async () => {
      server = await connect();
      client = createRawKubeClient(server.connection);
      const made = await client.call('/api/v1/namespaces', {
        method: 'POST',
        body: { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      });
      if (made.status !== 201) throw new Error(`no namespace: ${JSON.stringify(made.body)}`);
      const account = `/api/v1/namespaces/${namespace}/serviceaccounts`;
      await client.call(account, { method: 'POST', body: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } } });
    }, 60_000);
    afterAll(async () => {
      await client?.call(`/api/v1/namespaces/${namespace}`, { method: 'DELETE' });
      await server?.[Symbol.asyncDispose]();
    });
    const stage = (): SuiteStage => {
      if (client === undefined) throw new Error('the server is not up');
      return { client, namespace };
    };
    describe('objects', () => createCrudCases(stage));
    describe('lists', () => createListCases(stage));
    describe('watches', () => createWatchCases(stage));
    describe('patches', () => createPatchCases(stage));
    describe('pods', () => createPodCases(stage));
    describe('custom resources', () => createCrdCases(stage));
  });
};
