import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { kubeconfigOf } from '@karpenter/runtime/kubeconfig';
import { parse } from 'yaml';
import { type TestCertificate, testCertificate } from '../../../packages/runtime/src/client/testing/test-certificate.ts';
import { forward } from '../faults/api-gateway.ts';

/** The parts of a kubeconfig that say where its API server is, and with which token it is reached. */
interface PlainKubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
  readonly users: readonly { readonly user: { readonly token?: string } }[];
}

/** Watches that were begun so far, and those that are open. */
export interface WatchCounts {
  readonly begun: number;
  readonly open: number;
}

/** An HTTPS port before an API server that has neither certificates nor tokens that end. */
export interface TlsFront extends AsyncDisposable {
  /** The kubeconfig of its clients, which changes with what it rotates. */
  readonly kubeconfigPath: string;
  /** Watches through it. */
  readonly watches: WatchCounts;
  /** Accepts another token from now on, and no earlier one. */
  rotateToken(): void;
  /** Puts the next certificate among those that clients trust. */
  announceCertificate(): void;
  /** Shows the certificate that was announced, on new connections; all others end, as when an API server starts again. */
  useCertificate(): void;
}

const UNAUTHORIZED = JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Unauthorized', code: 401 });

const newToken = (): string => randomBytes(16).toString('hex');

/** The token that is accepted, the certificate that is shown, and the one that comes next. */
interface Credentials {
  token: string;
  certificate: TestCertificate;
  next: TestCertificate;
}

const newCredentials = (): Credentials => {
  const certificate = testCertificate();
  return { token: newToken(), certificate, next: certificate };
};

/** An HTTPS server that passes on what has the token, and the end of all its connections. */
const startServer = async (kubeconfig: string, credentials: Credentials) => {
  const { clusters, users } = parse(kubeconfig) as PlainKubeconfig;
  const agent = new Agent({ keepAlive: true });
  const passOn = {
    ...{ to: { url: clusters[0]?.cluster.server ?? '' }, agent },
    headers: { authorization: `Bearer ${users[0]?.user.token ?? ''}` },
  };
  const watches = { begun: 0, open: 0 };
  const countWatch = (response: ServerResponse): void => {
    watches.begun += 1;
    watches.open += 1;
    response.once('close', () => (watches.open -= 1));
  };
  const { certificate, key } = credentials.certificate;
  const server = createServer({ cert: certificate, key }, (asked, response) => {
    if (asked.headers.authorization === `Bearer ${credentials.token}`) {
      if (/[?&]watch=(?:true|1)/.test(asked.url ?? '')) countWatch(response);
      forward(asked, response, passOn);
      return;
    }
    asked.resume();
    response.writeHead(401, { 'content-type': 'application/json' }).end(UNAUTHORIZED);
  });
  const sockets = new Set<Duplex>();
  server.on('connection', (socket: Duplex) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endConnections = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const close = async (): Promise<void> => {
    server.close();
    endConnections();
    agent.destroy();
    await once(server, 'close');
  };
  return { server, watches, url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, endConnections, close };
};

/** Starts one before the server of a kubeconfig (YAML), for clients that may do what its user may. */
export const startTlsFront = async (kubeconfig: string): Promise<TlsFront> => {
  const folder = mkdtempSync(join(tmpdir(), 'karpenter-front-'));
  const kubeconfigPath = join(folder, 'kubeconfig');
  const own = newCredentials();
  const { server, watches, url, endConnections, close } = await startServer(kubeconfig, own);
  const change = (changed: Partial<Credentials>): void => {
    const { token, certificate, next } = Object.assign(own, changed);
    const ca = certificate === next ? certificate.certificate : certificate.certificate + next.certificate;
    writeFileSync(kubeconfigPath, kubeconfigOf({ name: 'front', url, token, ca }), { mode: 0o600 });
  };
  change({});
  return {
    ...{ kubeconfigPath, watches },
    rotateToken: () => change({ token: newToken() }),
    announceCertificate: () => change({ next: testCertificate() }),
    useCertificate: () => {
      change({ certificate: own.next });
      server.setSecureContext({ cert: own.next.certificate, key: own.next.key });
      endConnections();
    },
    [Symbol.asyncDispose]: async () => {
      await close();
      rmSync(folder, { recursive: true });
    },
  };
};
