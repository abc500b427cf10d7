import { controllerAtWork } from '@karpenter/runtime';
import type { Clock, Metrics } from '../../ports/index.ts';
import { CloudProviderError, type CloudProviderErrorCode } from '../../cloudprovider/index.ts';
import type { CloudProvider } from '../../cloudprovider/index.ts';
import { unchangedOf } from './unchanged-of.ts';

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
