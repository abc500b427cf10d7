import { createHttpHeaders, createPipelineRequest, type PipelineRequest } from '@azure/core-rest-pipeline';
import { expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { armClients } from './arm-clients.ts';
import { assertOwnHost } from './pipeline/own-host-policy.ts';

const endpoint = 'https://management.example';
const clients = armClients({
  environment: { resourceManagerEndpoint: endpoint, tokenAudience: endpoint, authorityHost: 'https://login.example' } as never,
  subscriptionId: 'sub',
  credential: { getToken: () => Promise.resolve({ token: 'secret', expiresOnTimestamp: Number.MAX_SAFE_INTEGER }) },
  clock: fakeClock(),
});

test.each(
  (['compute', 'network', 'graph', 'resources'] as const).flatMap((name) => [301, 302, 307, 308].map((status) => [name, status] as const)),
)('the client of %s does not follow a redirect (%d) to another host, and shows it no token', async (name, status) => {
  const seen: string[] = [];
  const sendRequest = (request: PipelineRequest) => {
    seen.push(`${request.url} ${request.headers.get('authorization') ?? ''}`);
    const headers = createHttpHeaders({ location: 'https://elsewhere.example/vms' });
    return Promise.resolve({ request, headers, status, bodyAsText: '' });
  };
  await clients[name].pipeline.sendRequest({ sendRequest }, createPipelineRequest({ url: `${endpoint}/vms` })).catch(() => undefined);
  expect(seen).toEqual([`${endpoint}/vms Bearer secret`]);
});

test('a long-running operation whose answer links to another host is not polled there', async () => {
  const seen: string[] = [];
  const sendRequest = (request: PipelineRequest) => {
    seen.push(new URL(request.url).origin);
    const headers = createHttpHeaders({ 'azure-asyncoperation': 'https://elsewhere.example/operations/1' });
    return Promise.resolve({ request, headers, status: 201, bodyAsText: '{"properties":{"provisioningState":"Creating"}}' });
  };
  clients.compute.pipeline.addPolicy({ name: 'answers', sendRequest }, { afterPhase: 'Sign' });
  const creation = clients.compute.virtualMachines.createOrUpdate('nodes', 'aks-a', { location: 'eastus' });
  await creation.submitted();
  await expect(creation.poll()).rejects.toThrow('an answer links to "https://elsewhere.example/operations/1');
  expect(seen).toEqual([endpoint]);
});

test.each(['https://management.example/a', 'https://management.example:443/a', 'https://eastus.management.example/a'])(
  '%s is at Resource Manager',
  (url) => {
    expect(() => {
      assertOwnHost(url, endpoint);
    }).not.toThrow();
  },
);

test.each([
  'http://management.example/a',
  'https://management.example:8443/a',
  'https://evil-management.example/a',
  'https://management.example.evil/a',
  'https://management.example@evil/a',
  '/a',
])('%s is not at Resource Manager', (url) => {
  expect(() => {
    assertOwnHost(url, endpoint);
  }).toThrow('which is not at https://management.example');
});
