import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { systemClock } from '../../clock/system-clock.ts';
import { createTransport } from './create-transport.ts';

/** Answers every request with a redirect to `location`, and records the request. */
const startRedirecting = async (status: number, location: string) => {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(status, { location }).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, seen, [Symbol.dispose]: () => void server.close() };
};

test.each([301, 302, 303, 307, 308])('a redirect (%d) of the API server is not followed: the token stays here', async (status) => {
  using other = await startRedirecting(200, '/');
  using server = await startRedirecting(status, other.url);
  const credentials = { headers: () => Promise.resolve({ authorization: 'Bearer secret' }), refresh: () => Promise.resolve() };
  const transport = createTransport({ server: server.url, tls: {}, credentials }, { clock: systemClock });
  expect((await transport.send({ method: 'GET', path: '/' })).status).toBe(status);
  expect([server.seen, other.seen]).toEqual([['Bearer secret'], []]);
  await transport.close();
});
