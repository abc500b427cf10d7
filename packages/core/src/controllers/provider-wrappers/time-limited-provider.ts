import { withDeadline } from '@karpenter/runtime';
import type { DoneOrLate } from '@karpenter/runtime';
import type { NodePool } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import type { Clock } from '../../ports/index.ts';
import { CloudProviderError } from '../../cloudprovider/index.ts';
import type { CallOptions, CloudProvider } from '../../cloudprovider/index.ts';
import { unchangedOf } from './unchanged-of.ts';

/** A call about a machine that is not answered by then fails; its controller tries again. */
const CALL_MS = 2 * 60_000;
/** The longest that a decision waits for a catalog. */
const CATALOG_MS = 10_000;
/** A request for a catalog that is not answered by then is made again. */
const LOST_MS = 5 * 60_000;

interface Asked {
  readonly answer: Promise<readonly InstanceType[]>;
  readonly sinceMs: number;
  isAnswered: boolean;
  isLate: boolean;
}

/**
 * `getInstanceTypes` with one request at a time per pool. A slow answer is waited for only once; later calls take it
 * when it has come. Errors: CloudProviderError `network` while there is no answer.
 */
const patientCatalog = (provider: CloudProvider, clock: Clock): CloudProvider['getInstanceTypes'] => {
  const underway = new Map<string, Asked>();

  const ask = (pool: NodePool, options: CallOptions): Asked => {
    const answer = provider.getInstanceTypes(pool, options);
    const asked: Asked = { answer, sinceMs: clock.now(), isAnswered: false, isLate: false };
    const settle = (): void => void (asked.isAnswered = true);
    answer.then(settle, settle);
    underway.set(pool.metadata.name, asked);
    return asked;
  };

  /** The open request, or a new one. */
  const askOnce = (pool: NodePool, options: CallOptions): Asked => {
    const known = underway.get(pool.metadata.name);
    const isLost = known !== undefined && !known.isAnswered && clock.now() >= known.sinceMs + LOST_MS;
    return known === undefined || isLost ? ask(pool, options) : known;
  };

  /** The answer if it comes in time. */
  const waitFor = async (asked: Asked, name: string, { signal }: CallOptions): Promise<DoneOrLate<readonly InstanceType[]>> => {
    try {
      const answered = await withDeadline({ clock, signal, afterMs: CATALOG_MS }, () => asked.answer);
      asked.isLate = answered.kind === 'late';
      return answered;
    } finally {
      if (!asked.isLate && underway.get(name) === asked) underway.delete(name);
    }
  };

  return async (pool, options) => {
    const asked = askOnce(pool, options);
    if (asked.isAnswered || !asked.isLate) {
      asked.isLate = false;
      const answered = await waitFor(asked, pool.metadata.name, options);
      if (answered.kind === 'done') return answered.value;
    }
    throw new CloudProviderError('network', `${provider.name} has not answered yet what it offers`);
  };
};

/**
 * The provider with a time limit on each call, so that a cloud that does not answer holds up only the caller. Launches
 * have their own, longer limit.
 */
export const timeLimitedProvider = (provider: CloudProvider, clock: Clock): CloudProvider => {
  const inTime = async <T>(what: string, { signal }: CallOptions, call: (options: CallOptions) => Promise<T>): Promise<T> => {
    const answer = await withDeadline({ clock, signal, afterMs: CALL_MS }, (limited) => call({ signal: limited }));
    if (answer.kind === 'done') return answer.value;
    throw new CloudProviderError('network', `${provider.name} did not answer ${what} within ${CALL_MS / 1000} s`);
  };
  return {
    ...unchangedOf(provider),
    create: (claim, options) => provider.create(claim, options),
    delete: (claim, options) => inTime('delete', options, (limited) => provider.delete(claim, limited)),
    get: (providerId, options) => inTime('get', options, (limited) => provider.get(providerId, limited)),
    list: (options) => inTime('list', options, (limited) => provider.list(limited)),
    getInstanceTypes: patientCatalog(provider, clock),
    isDrifted: (claim, options) => inTime('isDrifted', options, (limited) => provider.isDrifted(claim, limited)),
  };
};
