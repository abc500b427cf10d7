import type { ClusterConnection } from '../connection/connection.ts';
import { actionOf, createExchange, type ReadResponse } from './exchange.ts';
import { KubeError } from '../kube-error.ts';
import { readAnswer, readStream } from './response-reader.ts';
import { repeatPolicy } from './repeat-policy.ts';
import { tokenBucket } from './token-bucket.ts';
import type { TransportOptions } from './transport-options.ts';
import type { Transport, TransportRequest, TransportResponse, TransportStream } from './transport.ts';

/** The transport over one connection; see {@link Transport} for what it guarantees. */
export const createTransport = (connection: ClusterConnection, options: TransportOptions): Transport => {
  const { clock, qps = 200, burst = 300 } = options;
  const exchange = createExchange(connection, options);
  const bucket = tokenBucket(clock, { perSecond: qps, burst });

  const unlessAborted = async (request: TransportRequest, wait: Promise<void>): Promise<void> => {
    try {
      await wait;
    } catch (error) {
      throw new KubeError(`${actionOf(request)}: aborted by the caller`, { code: 'aborted', cause: error });
    }
  };

  const refreshed = async (request: TransportRequest): Promise<void> => {
    try {
      await connection.credentials?.refresh();
    } catch (error) {
      throw new KubeError(`${actionOf(request)}: the credentials could not be renewed`, {
        code: 'unauthorized',
        status: 401,
        cause: error,
      });
    }
  };

  const repeated = async <T extends TransportResponse | TransportStream>(request: TransportRequest, read: ReadResponse<T>): Promise<T> => {
    const policy = repeatPolicy(request);
    for (;;) {
      if (request.isUrgent !== true) await unlessAborted(request, bucket.take(request.signal));
      const answer = await exchange.run(request, read).catch((error: unknown) => {
        if (policy.mayReconnectAfter(error)) return undefined;
        throw error;
      });
      if (answer === undefined) continue;
      const next = policy.afterAnswer(answer);
      if (next.kind === 'return' || (next.kind === 'refresh' && connection.credentials === undefined)) return answer;
      if (next.kind === 'refresh') await refreshed(request);
      else await unlessAborted(request, clock.sleep(next.ms, request.signal));
    }
  };

  return {
    send: (request) => repeated(request, readAnswer(clock, request)),
    stream: (request) => repeated(request, readStream(clock, request)),
    close: exchange.close,
  };
};
