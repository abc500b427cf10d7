import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type ArmCertificates, createArmCertificates } from '@karpenter/azure-emulator';
import { describe, expect, test } from '@jest/globals';
import { startRecordProxy } from './record-proxy.ts';

const SUBSCRIPTION = '11111111-2222-3333-4444-555555555555';

/** A server on loopback that answers each request with its own name. */
const startUpstream = async (name: string, { certPem, keyPem }: ArmCertificates) => {
  const server = createServer({ cert: certPem, key: keyPem }, (_, response) => void response.end(JSON.stringify(name)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

describe('the proxy before a real Azure', () => {
  test('reads prices where Azure publishes them, everything else from the Resource Manager, and keeps both', async () => {
    const certificates = await createArmCertificates();
    await using arm = await startUpstream('arm', certificates);
    await using prices = await startUpstream('prices', certificates);
    const names = { subscription: SUBSCRIPTION, imageSubscription: '', nodeGroup: 'MC_nodes', clusterGroup: 'web-rg', cluster: 'web' };
    await using proxy = await startRecordProxy({
      ...{ upstream: arm.url, pricesUpstream: prices.url, upstreamCa: certificates.caPem, certificates, names },
    });
    const read = async (url: string): Promise<unknown> => {
      const [answer] = (await once(get(url, { ca: certificates.caPem }), 'response')) as [IncomingMessage];
      return JSON.parse(await text(answer));
    };
    const { resourceManagerEndpoint, retailPricesEndpoint } = proxy.endpoints;
    expect(await read(`${retailPricesEndpoint}?api-version=2023-01-01-preview`)).toBe('prices');
    expect(await read(`${resourceManagerEndpoint}/subscriptions/${SUBSCRIPTION}?api-version=2022-12-01`)).toBe('arm');
    expect(proxy.recording(new Date(0)).exchanges.map(({ target, answer }) => [target, answer])).toEqual([
      ['/api/retail/prices?api-version=2023-01-01-preview', 'prices'],
      ['/subscriptions/{subscription}?api-version=2022-12-01', 'arm'],
    ]);
  });
});
