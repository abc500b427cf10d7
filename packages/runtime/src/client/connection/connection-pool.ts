import { Agent, type Dispatcher } from 'undici';
import type { Clock } from '../../clock/clock.ts';
import type { ClusterConnection, TlsMaterial } from './connection.ts';

const TLS_RELOAD_INTERVAL_MS = 60_000;

/** Sockets to one API server. */
export interface ConnectionPool {
  /**
   * Where the next request goes. A changed certificate authority or client certificate gives a new one; the old one drains.
   */
  dispatcher(): Promise<Dispatcher>;
  close(): Promise<void>;
}

const connectOptionsOf = (tls: TlsMaterial) => ({
  ...(tls.ca === undefined ? {} : { ca: tls.ca }),
  ...(tls.certificate === undefined ? {} : { cert: tls.certificate }),
  ...(tls.key === undefined ? {} : { key: tls.key }),
  ...(tls.serverName === undefined ? {} : { servername: tls.serverName }),
  rejectUnauthorized: tls.insecure !== true,
  keepAlive: true,
});

/**
 * HTTP/1.1 also where the server has HTTP/2: a write that is aborted while it is sent over HTTP/2 ends in an endless
 * loop of Node (ADR 33). Timeouts are the transport's own.
 */
const agentFor = (tls: TlsMaterial): Agent =>
  new Agent({ allowH2: false, connect: connectOptionsOf(tls), headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 30_000 });

const isSame = (a: TlsMaterial, b: TlsMaterial): boolean =>
  a.ca === b.ca && a.certificate === b.certificate && a.key === b.key && a.serverName === b.serverName && a.insecure === b.insecure;

/** One undici agent for the cluster, replaced when the TLS material changes on disk. */
export const connectionPool = (connection: ClusterConnection, clock: Clock): ConnectionPool => {
  let tls = connection.tls;
  let agent = agentFor(tls);
  let readAtMs = clock.now();
  const draining = new Set<Agent>();

  const replaceAgent = (fresh: TlsMaterial): void => {
    const old = agent;
    tls = fresh;
    agent = agentFor(fresh);
    draining.add(old);
    void old.close().then(() => draining.delete(old));
  };

  return {
    async dispatcher() {
      if (connection.reloadTls !== undefined && clock.now() - readAtMs >= TLS_RELOAD_INTERVAL_MS) {
        readAtMs = clock.now();
        const fresh = await connection.reloadTls();
        if (!isSame(tls, fresh)) replaceAgent(fresh);
      }
      return agent;
    },
    async close() {
      await Promise.all([agent, ...draining].map((each) => each.destroy()));
    },
  };
};
