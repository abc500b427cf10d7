import { Agent } from 'undici';
import type { TlsMaterial } from './connection.ts';

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
export const agentFor = (tls: TlsMaterial): Agent =>
  new Agent({ allowH2: false, connect: connectOptionsOf(tls), headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 30_000 });
