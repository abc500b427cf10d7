import type { Clock } from '../../clock/clock.ts';
import type { ClusterConnection, TlsMaterial } from './connection.ts';
import { type HttpSockets, httpSockets } from './http-sockets.ts';

const TLS_RELOAD_INTERVAL_MS = 60_000;

/** Sockets to one API server. */
export interface ConnectionPool {
  /**
   * Those for the next request. A changed certificate authority or client certificate opens new ones; requests that are
   * under way go on.
   */
  sockets(): Promise<HttpSockets>;
  readonly close: () => Promise<void>;
}

const isSame = (a: TlsMaterial, b: TlsMaterial): boolean =>
  a.ca === b.ca && a.certificate === b.certificate && a.key === b.key && a.serverName === b.serverName && a.insecure === b.insecure;

/** The sockets of the cluster, replaced when the TLS material changes on disk. */
export const connectionPool = (connection: ClusterConnection, clock: Clock): ConnectionPool => {
  const server = new URL(connection.server);
  let { tls } = connection;
  let current: HttpSockets | undefined;
  let readAtMs = clock.now();
  let draining: readonly HttpSockets[] = [];
  let isClosed = false;

  const replace = (fresh: TlsMaterial): void => {
    // Idle sockets end by themselves.
    draining = [...draining.filter((each) => each.isInUse()), ...(current === undefined ? [] : [current])];
    tls = fresh;
    current = undefined;
  };

  return {
    async sockets() {
      if (connection.reloadTls !== undefined && clock.now() - readAtMs >= TLS_RELOAD_INTERVAL_MS) {
        readAtMs = clock.now();
        const fresh = await connection.reloadTls();
        if (!isSame(tls, fresh)) replace(fresh);
      }
      if (isClosed) throw new Error('the connection to the API server was closed');
      return (current ??= httpSockets(server, tls));
    },
    close: () => {
      isClosed = true;
      for (const each of [current, ...draining]) each?.destroy();
      return Promise.resolve();
    },
  };
};
