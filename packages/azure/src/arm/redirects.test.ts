import { createHttpHeaders, createPipelineRequest, type PipelineRequest } from '@azure/core-rest-pipeline';
import { expect, test } from '@jest/globals';
import { fakeClock } from '@karpenter/runtime';
import { armClients } from './arm-clients.ts';

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
