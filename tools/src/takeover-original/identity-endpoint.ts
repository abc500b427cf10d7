import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ArmEmulator } from '@karpenter/simulator/arm';

/** Gives tokens of the emulator as the identity endpoint of an Azure App Service does: the only one that Azure's Go SDK lets be elsewhere. */
export interface IdentityEndpoint extends AsyncDisposable {
  /** `IDENTITY_ENDPOINT` */
  readonly url: string;
}

const tokenFor = async ({ url, caPem }: ArmEmulator, resource: string): Promise<string> => {
  const target = new URL('/metadata/identity/oauth2/token', url);
  target.searchParams.set('api-version', '2018-02-01');
  target.searchParams.set('resource', resource);
  const asked = request(target, { ca: caPem, headers: { metadata: 'true' } }).end();
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return text(answer);
};

export const startIdentityEndpoint = async (arm: ArmEmulator): Promise<IdentityEndpoint> => {
  const server = createServer((incoming, answer) => {
    const resource = new URL(incoming.url ?? '/', 'http://identity').searchParams.get('resource') ?? '';
    const give = (body: string): unknown => answer.setHeader('content-type', 'application/json').end(body);
    tokenFor(arm, resource).then(give, () => incoming.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/msi/token`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
