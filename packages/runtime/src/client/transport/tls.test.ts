import { createSecureServer, type Http2SecureServer, type Http2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../clock/system-clock.ts';
import type { TlsMaterial } from '../connection/connection.ts';
import { createTransport } from './create-transport.ts';
import { type TestCertificate, testCertificate } from '../testing/test-certificate.ts';

/** An HTTP/2 server over TLS that says which protocol it was spoken to; `/watch` never ends. */
const startSecureServer = async ({ certificate, key }: TestCertificate) => {
  const sessions = new Set<Http2Session>();
  const server: Http2SecureServer = createSecureServer({ cert: certificate, key, allowHTTP1: true }, (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    request.resume();
    if (request.url === '/watch') response.write('{}\n');
    else response.end(JSON.stringify({ version: request.httpVersion }));
  });
  server.on('session', (session) => void sessions.add(session));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = (): void => {
    for (const session of sessions) session.destroy();
    server.close();
  };
  return { url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, sessions, close };
};

const trusted = testCertificate();
let server: Awaited<ReturnType<typeof startSecureServer>>;
beforeAll(async () => {
  server = await startSecureServer(trusted);
});
afterAll(() => server.close());

const speaking = (tls: TlsMaterial, reloadTls?: () => Promise<TlsMaterial>, clock = systemClock) =>
  createTransport({ server: server.url, tls, ...(reloadTls === undefined ? {} : { reloadTls }) }, { clock });

const read = { method: 'GET', path: '/' } as const;

describe('over TLS', () => {
  test('a server that has HTTP/2 too is spoken to in HTTP/1.1, where watches hold up no calls', async () => {
    const transport = speaking({ ca: trusted.certificate });
    const watches = await Promise.all(Array.from({ length: 15 }, () => transport.stream({ method: 'GET', path: '/watch' })));
    expect(watches.map(({ status }) => status)).toEqual(Array(15).fill(200));
    const answers = await Promise.all(Array.from({ length: 100 }, () => transport.send(read)));
    expect(answers.map(({ body }) => body)).toEqual(Array(100).fill({ version: '1.1' }));
    expect(server.sessions.size).toBe(0);
    await transport.close();
  });

  // Over HTTP/2 Node never came back from this, and its memory grew by 80 MB a second (ADR 33).
  test('writes that are abandoned while they are sent end, and the next one is answered', async () => {
    const transport = speaking({ ca: trusted.certificate });
    for (let round = 0; round < 20; round += 1) {
      const end = new AbortController();
      const write = { method: 'PATCH', path: '/', body: { text: 'a'.repeat(20_000) }, signal: end.signal } as const;
      const writes = Array.from({ length: 20 }, () => transport.send(write).catch((error: unknown) => error));
      for (let turns = 0; turns < round; turns += 1) await Promise.resolve();
      end.abort();
      await Promise.all(writes);
    }
    expect((await transport.send(read)).status).toBe(200);
    await transport.close();
  });

  test('a server whose certificate nobody vouches for is refused, unless that is wanted', async () => {
    const careful = speaking({});
    await expect(careful.send(read)).rejects.toMatchObject({ name: 'KubeError', code: 'network' });
    await careful.close();
    const careless = speaking({ insecure: true });
    expect((await careless.send(read)).status).toBe(200);
    await careless.close();
  });

  test('a certificate authority that is replaced on disk is taken up within a minute', async () => {
    let nowMs = 0;
    const clock = { ...systemClock, now: () => nowMs };
    const transport = speaking({ ca: testCertificate().certificate }, () => Promise.resolve({ ca: trusted.certificate }), clock);
    await expect(transport.send(read)).rejects.toMatchObject({ code: 'network' });
    nowMs = 60_000;
    expect((await transport.send(read)).status).toBe(200);
    await transport.close();
  });

  test('a watch under an authority that was replaced goes on, and ends with the transport', async () => {
    let nowMs = 0;
    const clock = { ...systemClock, now: () => nowMs };
    const both = `${trusted.certificate}${testCertificate().certificate}`;
    const transport = speaking({ ca: trusted.certificate }, () => Promise.resolve({ ca: both }), clock);
    const watch = await transport.stream({ method: 'GET', path: '/watch' });
    if (!('chunks' in watch)) throw new Error('no stream');
    const chunks = watch.chunks[Symbol.asyncIterator]();
    nowMs = 60_000;
    expect((await transport.send(read)).status).toBe(200);
    expect(String((await chunks.next()).value)).toBe('{}\n');
    const end = chunks.next();
    await transport.close();
    await expect(end).rejects.toMatchObject({ name: 'KubeError', code: 'network' });
  });
});
