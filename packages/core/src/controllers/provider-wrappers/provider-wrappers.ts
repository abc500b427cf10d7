import { controllerAtWork, withDeadline } from '@karpenter/runtime';
import type { DoneOrLate } from '@karpenter/runtime';
import { CloudProviderError } from '../../cloudprovider/index.ts';
import type { CallOptions, CloudProvider, CloudProviderErrorCode } from '../../cloudprovider/index.ts';
import type { Clock, Metrics } from '../../ports/index.ts';
import type { NodePool } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';

type Unchanged = Pick<
  CloudProvider,
  | 'name'
  | 'getSupportedNodeClasses'
  | 'labelCatalog'
  | 'repairPolicies'
  | 'registrationHooks'
  | 'interruptionOf'
  | 'launchTimeoutMs'
  | 'defaultTerminationGracePeriod'
  | 'unsupportedVolumes'
>;

/** Those that have a value. */
const given = <T extends object>(values: { readonly [K in keyof T]: T[K] | undefined }): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;

/** What a decorator passes on unchanged: everything but the calls to the cloud. */
export const unchangedOf = (provider: CloudProvider): Unchanged => ({
  name: provider.name,
  getSupportedNodeClasses: () => provider.getSupportedNodeClasses(),
  labelCatalog: provider.labelCatalog,
  repairPolicies: provider.repairPolicies,
  ...given<Pick<CloudProvider, 'registrationHooks' | 'launchTimeoutMs' | 'defaultTerminationGracePeriod' | 'unsupportedVolumes'>>({
    registrationHooks: provider.registrationHooks,
    launchTimeoutMs: provider.launchTimeoutMs,
    defaultTerminationGracePeriod: provider.defaultTerminationGracePeriod,
    unsupportedVolumes: provider.unsupportedVolumes,
  }),
  ...(provider.interruptionOf !== undefined && { interruptionOf: (node) => provider.interruptionOf?.(node) }),
});

/** What the calls to a provider are measured with. */
export interface MeasuredProviderDeps {
  readonly metrics: Metrics;
  readonly clock: Clock;
}

/** As the original's dashboards name them. */
type Method = 'Create' | 'Delete' | 'Get' | 'List' | 'GetInstanceTypes' | 'IsDrifted';

const LABELS = ['controller', 'method', 'provider'];

const originals: Partial<Record<CloudProviderErrorCode, string>> = {
  'insufficient-capacity': 'InsufficientCapacityError',
  'node-class-not-ready': 'NodeClassNotReadyError',
};

/** Differs: the original distinguishes these two errors and leaves the label of all others empty. */
const errorOf = (error: unknown): string => (error instanceof CloudProviderError ? (originals[error.code] ?? error.code) : 'unknown');

/**
 * The provider, with the duration and the failures of its calls in `karpenter_cloudprovider_*`. Of a call that several
 * wait for, the controller is the one that made it.
 */
export const measuredProvider = (provider: CloudProvider, { metrics, clock }: MeasuredProviderDeps): CloudProvider => {
  const duration = metrics.histogram({
    name: 'karpenter_cloudprovider_duration_seconds',
    help: 'Duration of cloud provider method calls.',
    labelNames: LABELS,
  });
  const errors = metrics.counter({
    name: 'karpenter_cloudprovider_errors_total',
    help: 'Total number of errors returned from CloudProvider calls.',
    labelNames: [...LABELS, 'error'],
  });
  const measured = async <T>(method: Method, call: () => Promise<T>): Promise<T> => {
    const startMs = clock.now();
    const about = { controller: controllerAtWork() ?? '', method, provider: provider.name };
    try {
      return await call();
    } catch (error) {
      errors.increment({ ...about, error: errorOf(error) });
      throw error;
    } finally {
      duration.observe((clock.now() - startMs) / 1000, about);
    }
  };
  return {
    ...unchangedOf(provider),
    create: (claim, options) => measured('Create', () => provider.create(claim, options)),
    delete: (claim, options) => measured('Delete', () => provider.delete(claim, options)),
    get: (providerId, options) => measured('Get', () => provider.get(providerId, options)),
    list: (options) => measured('List', () => provider.list(options)),
    getInstanceTypes: (pool, options) => measured('GetInstanceTypes', () => provider.getInstanceTypes(pool, options)),
    isDrifted: (claim, options) => measured('IsDrifted', () => provider.isDrifted(claim, options)),
  };
};

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
