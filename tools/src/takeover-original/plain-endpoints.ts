import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { pipeline } from 'node:stream/promises';
import type { ArmEmulator } from '@karpenter/azure-emulator';

/** What the original reads without TLS. */
export interface PlainEndpoints extends AsyncDisposable {
  /** `IDENTITY_ENDPOINT`: tokens as in an Azure App Service, the only place that Azure's Go SDK lets be elsewhere. */
  readonly identityUrl: string;
  /** `NODEBOOTSTRAPPING_SERVER_URL`: host and port, as the original wants it. */
  readonly bootstrappingHost: string;
}

const IDENTITY_PATH = '/msi/token';

/** The call of the emulator that answers a request. */
const targetOf = ({ url: path = '', method = 'GET', headers }: IncomingMessage, arm: ArmEmulator): [URL, RequestOptions] => {
  if (!path.startsWith(IDENTITY_PATH)) return [new URL(path, arm.url), { method, headers, ca: arm.caPem }];
  const target = new URL('/metadata/identity/oauth2/token', arm.url);
  target.searchParams.set('api-version', '2018-02-01');
  target.searchParams.set('resource', new URL(path, arm.url).searchParams.get('resource') ?? '');
  return [target, { ca: arm.caPem, headers: { metadata: 'true' } }];
};

export const startPlainEndpoints = async (arm: ArmEmulator): Promise<PlainEndpoints> => {
  const server = createServer((incoming, answer) => {
    const onward = request(...targetOf(incoming, arm));
    const forward = async (): Promise<void> => {
      await pipeline(incoming, onward);
      const [reply] = (await once(onward, 'response')) as [IncomingMessage];
      answer.writeHead(reply.statusCode ?? 502, { 'content-type': reply.headers['content-type'] ?? 'application/json' });
      await pipeline(reply, answer);
    };
    forward().catch(() => incoming.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    identityUrl: `http://${host}${IDENTITY_PATH}`,
    bootstrappingHost: host,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
