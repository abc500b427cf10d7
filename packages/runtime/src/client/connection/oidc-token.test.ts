import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { fakeClock } from '../../clock/fake-clock.ts';
import { loadKubeConfig } from './kubeconfig.ts';
import { testCertificate } from '../testing/test-certificate.ts';

const HOUR_SECONDS = 3600;

const tokenOf = (name: string, expSeconds: number): string =>
  [{ alg: 'RS256' }, { name, exp: expSeconds }].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.') +
  '.signed';

/** An issuer with a certificate of its own; it never replaces a refresh token, and refuses every one but `good`. */
const startIssuer = async (nowSeconds: () => number) => {
  const { certificate, key } = testCertificate();
  const asked: string[] = [];
  const server = createServer({ cert: certificate, key }, (request, response) => {
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const answer = (status: number, value: object) => response.writeHead(status).end(JSON.stringify(value));
      if (request.url === '/.well-known/openid-configuration') return answer(200, { issuer: url, token_endpoint: `${url}/token` });
      asked.push(body);
      if (body.includes('refresh_token=empty')) return response.writeHead(200).end('null');
      if (!body.includes('refresh_token=good')) return answer(400, { error: 'invalid_grant' });
      return answer(200, { id_token: tokenOf(`fresh-${asked.length}`, nowSeconds() + HOUR_SECONDS) });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ca = Buffer.from(certificate).toString('base64');
  return { url, asked, ca, close: () => new Promise((resolve) => server.close(resolve)) };
};

const stage = async (refreshToken: string, expiresInSeconds: number) => {
  const clock = fakeClock();
  const nowSeconds = () => clock.now() / 1000;
  const issuer = await startIssuer(nowSeconds);
  const dir = await mkdtemp(join(tmpdir(), 'oidc-'));
  const path = join(dir, 'config');
  const config = {
    'client-id': 'kubectl',
    'id-token': tokenOf('given', nowSeconds() + expiresInSeconds),
    'refresh-token': refreshToken,
    'idp-issuer-url': issuer.url,
    'idp-certificate-authority-data': issuer.ca,
  };
  const file = {
    clusters: [{ name: 'dev', cluster: { server: 'https://dev.example.com' } }],
    users: [{ name: 'me', user: { 'auth-provider': { name: 'oidc', config } } }],
    contexts: [{ name: 'dev', context: { cluster: 'dev', user: 'me' } }],
    'current-context': 'dev',
  };
  await writeFile(path, JSON.stringify(file));
  const load = () => loadKubeConfig({ path, clock });
  return {
    clock,
    issuer,
    load,
    [Symbol.asyncDispose]: async () => {
      await issuer.close();
      await rm(dir, { recursive: true });
    },
  };
};

/** The name in the bearer token that requests would carry. */
const bearerOf = async ({ credentials }: Awaited<ReturnType<typeof loadKubeConfig>>): Promise<unknown> => {
  const [scheme, token = ''] = (await credentials?.headers())?.['authorization']?.split(' ') ?? [];
  const { name } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { name: string };
  return `${scheme} ${name}`;
};

describe('the token of an OIDC user', () => {
  test('is sent unchanged until it expires', async () => {
    await using it = await stage('good', HOUR_SECONDS);
    expect([await bearerOf(await it.load()), it.issuer.asked]).toEqual(['Bearer given', []]);
  });

  test('is refreshed once when it has expired, and again when the new one has, with the refresh token of the file', async () => {
    await using it = await stage('good', -60);
    const connection = await it.load();
    expect(await bearerOf(connection)).toBe('Bearer fresh-1');
    await it.clock.advance(60_000);
    expect(await bearerOf(connection)).toBe('Bearer fresh-1');
    await it.clock.advance(HOUR_SECONDS * 1000);
    expect(await bearerOf(connection)).toBe('Bearer fresh-2');
    expect(it.issuer.asked).toEqual(Array(2).fill('grant_type=refresh_token&refresh_token=good&client_id=kubectl'));
  });

  test('that the issuer does not renew is reported in one line with its answer', async () => {
    await using it = await stage('revoked', -60);
    await expect(it.load()).rejects.toMatchObject({
      code: 'refused',
      message: `the OIDC issuer gives no token: ${it.issuer.url}/token: 400 {"error":"invalid_grant"}`,
    });
  });

  test('that the issuer answers with null is reported in one line', async () => {
    await using it = await stage('empty', -60);
    await expect(it.load()).rejects.toMatchObject({
      code: 'refused',
      message: `the OIDC issuer gives no token: ${it.issuer.url}/token: the answer is no JSON object`,
    });
  });
});
