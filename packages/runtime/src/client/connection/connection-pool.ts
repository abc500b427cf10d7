import type { Agent, Dispatcher } from 'undici';
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

/** undici is loaded with the first request: its 109 modules are most of what this package loads. */
const loadedAgent = async (tls: TlsMaterial): Promise<Agent> => (await import('./agent-for.ts')).agentFor(tls);

const isSame = (a: TlsMaterial, b: TlsMaterial): boolean =>
  a.ca === b.ca && a.certificate === b.certificate && a.key === b.key && a.serverName === b.serverName && a.insecure === b.insecure;

/** One undici agent for the cluster, replaced when the TLS material changes on disk. */
export const connectionPool = (connection: ClusterConnection, clock: Clock): ConnectionPool => {
  let tls = connection.tls;
  let agent: Promise<Agent> | undefined;
  let readAtMs = clock.now();
  const draining = new Set<Promise<Agent>>();

  const agentNow = (): Promise<Agent> => (agent ??= loadedAgent(tls));

  const drain = async (old: Promise<Agent>): Promise<void> => {
    draining.add(old);
    await (await old).close();
    draining.delete(old);
  };

  const replaceAgent = (fresh: TlsMaterial): void => {
    // Nobody waits for an old agent: one that cannot be closed concerns nobody.
    if (agent !== undefined) drain(agent).catch(() => undefined);
    tls = fresh;
    agent = undefined;
  };

  return {
    async dispatcher() {
      if (connection.reloadTls !== undefined && clock.now() - readAtMs >= TLS_RELOAD_INTERVAL_MS) {
        readAtMs = clock.now();
        const fresh = await connection.reloadTls();
        if (!isSame(tls, fresh)) replaceAgent(fresh);
      }
      return agentNow();
    },
    async close() {
      // Also one that was never used: a request after this must fail.
      await Promise.all([agentNow(), ...draining].map(async (each) => (await each).destroy()));
    },
  };
};
