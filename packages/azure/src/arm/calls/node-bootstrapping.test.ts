import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import type { ProvisionValues } from '../../bootstrap/index.ts';
import { type NodeBootstrappingService, nodeBootstrappingService } from './node-bootstrapping.ts';
import { base64 } from '../../bootstrap/bootstrap-variables.ts';

const signal = new AbortController().signal;
const values = { provisionProfile: { vmSize: 'Standard_D2s_v3' } } as unknown as ProvisionValues;

interface Heard {
  readonly method: string;
  readonly url: string;
  readonly authorization: string;
  readonly body: unknown;
}

interface Served extends AsyncDisposable {
  readonly service: NodeBootstrappingService;
  readonly heard: readonly Heard[];
}

const NEWER = '{"access_token":{"nbf":{"essential":true,"value":"1"}}}';

/**
 * The service without TLS, as it stands beside a control plane, with one answer; no status: it never answers. To a
 * token that was revoked it says that it wants a newer one.
 */
const serving = async (status: number | undefined, body: string, revoked?: string): Promise<Served> => {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      heard.push({ method, url, authorization: headers.authorization ?? '', body: JSON.parse(Buffer.concat(chunks).toString('utf8')) });
      if (status === undefined) return;
      const challenge = `Bearer realm="", error="insufficient_claims", claims="${base64(NEWER)}"`;
      if (headers.authorization === `Bearer ${revoked}`) response.writeHead(401, { 'WWW-Authenticate': challenge }).end('revoked');
      else response.writeHead(status, { 'Retry-After': '7' }).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const service = nodeBootstrappingService({
    serverUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    cluster: { subscriptionId: 'sub', resourceGroup: 'rg', name: 'main' },
    credential: {
      getToken: (_scopes, options) =>
        Promise.resolve({ token: options?.claims === NEWER ? 'newer-token' : 'arm-token', expiresOnTimestamp: 0 }),
    },
    scope: 'https://management.azure.com/.default',
    bootstrapToken: 'abcdef.0123456789abcdef',
    clock: { now: () => 0 },
    ...(status === undefined && { patienceMs: 500 }),
  });
  return { service, heard, [Symbol.asyncDispose]: () => new Promise((resolve) => void server.close(() => resolve())) };
};

describe('the node bootstrapping service', () => {
  test('gets one request with a body, as the cluster, and the token replaces the placeholder of the service', async () => {
    const cse = 'TOKEN="{{.TokenID}}.{{.TokenSecret}}" run';
    await using served = await serving(200, JSON.stringify({ customData: base64(`#cloud-config {{.TokenID}}.{{.TokenSecret}}`), cse }));
    expect(await served.service.ask(values, signal)).toEqual({
      customData: base64('#cloud-config abcdef.0123456789abcdef'),
      script: 'TOKEN="abcdef.0123456789abcdef" run',
    });
    expect(served.heard).toEqual([
      {
        method: 'GET',
        url: '/subscriptions/sub/resourceGroups/rg/providers/Microsoft.ContainerService/managedclusters/main/nodeBootstrapping',
        authorization: 'Bearer arm-token',
        body: values,
      },
    ]);
  });

  test.each<[what: string, answer: readonly [status: number, body: string], error: object]>([
    ['bare text', [400, 'no such distro'], { code: 'refused', message: expect.stringContaining('no such distro') }],
    ['text in JSON', [500, '"not today"'], { code: 'server', message: expect.stringContaining('answers 500: not today') }],
    [
      'an error of ARM',
      [403, '{"error":{"code":"AuthorizationFailed","message":"no role"}}'],
      { code: 'forbidden', armCode: 'AuthorizationFailed' },
    ],
    ['too many requests', [429, ''], { code: 'throttled', retryAfterMs: 7000 }],
    ['an answer without a script', [200, '{"customData":"YQ==","cse":""}'], { message: expect.stringContaining('without cse') }],
    [
      'custom data that is no base64',
      [200, '{"customData":"#cloud-config","cse":"run"}'],
      { code: 'server', message: expect.stringContaining('without base64 customData') },
    ],
    ['an error whose message is none', [400, '{"error":{"code":5,"message":{"toString":null}}}'], { code: 'refused', name: 'ArmError' }],
    [
      'an answer that is no JSON',
      [200, '<html>'],
      { code: 'server', message: expect.stringContaining('without base64 customData and cse') },
    ],
  ])('refuses by %s, and is not asked again', async (_what, answer, error) => {
    await using served = await serving(...answer);
    await expect(served.service.ask(values, signal)).rejects.toMatchObject({ name: 'ArmError', ...error });
    expect(served.heard).toHaveLength(1);
  });

  test('is not waited for without end', async () => {
    await using served = await serving(undefined, '');
    await expect(served.service.ask(values, signal)).rejects.toMatchObject({
      code: 'network',
      message: 'the node bootstrapping service of --nodebootstrapping-server-url has had no answer for 0.5 s',
    });
  });

  test('answers with custom data in broken lines, which are put together; sixty thousand blanks take no time', async () => {
    const [first, rest] = [base64('#cloud-config').slice(0, 8), base64('#cloud-config').slice(8)];
    await using served = await serving(200, JSON.stringify({ customData: `${first}\n${rest}${' '.repeat(60_000)}`, cse: 'run' }));
    expect(await served.service.ask(values, signal)).toEqual({ customData: base64('#cloud-config'), script: 'run' });
  });

  test('is shown a newer token once where it says that the one it was shown counts no longer', async () => {
    await using served = await serving(200, JSON.stringify({ customData: base64('a'), cse: 'run' }), 'arm-token');
    expect(await served.service.ask(values, signal)).toEqual({ customData: base64('a'), script: 'run' });
    expect(served.heard.map(({ authorization }) => authorization)).toEqual(['Bearer arm-token', 'Bearer newer-token']);
  });

  test('is not asked a third time where the newer token counts as little', async () => {
    await using served = await serving(401, 'who are you?', 'arm-token');
    await expect(served.service.ask(values, signal)).rejects.toMatchObject({ name: 'ArmError', code: 'forbidden' });
    expect(served.heard).toHaveLength(2);
  });
});
