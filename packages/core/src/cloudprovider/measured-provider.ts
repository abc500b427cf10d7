import type { Clock, Metrics } from '../ports/index.ts';
import { CloudProviderError } from './cloud-provider-error.ts';
import type { CloudProvider } from './cloud-provider.ts';
import { unchangedOf } from './unchanged-of.ts';

/** What the calls to a provider are measured with. */
export interface Measuring {
  readonly metrics: Metrics;
  readonly clock: Clock;
}

type Method = 'create' | 'delete' | 'get' | 'list' | 'getInstanceTypes' | 'isDrifted';

const LABELS = ['controller', 'method', 'provider'];

const codeOf = (error: unknown): string => (error instanceof CloudProviderError ? error.code : 'unknown');

/** The provider, with the duration and the failures of its calls in `karpenter_cloudprovider_*`. */
export const measuredProvider = (provider: CloudProvider, { metrics, clock }: Measuring): CloudProvider => {
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
    const about = { controller: '', method, provider: provider.name };
    try {
      return await call();
    } catch (error) {
      errors.increment({ ...about, error: codeOf(error) });
      throw error;
    } finally {
      duration.observe((clock.now() - startMs) / 1000, about);
    }
  };
  return {
    ...unchangedOf(provider),
    create: (claim, options) => measured('create', () => provider.create(claim, options)),
    delete: (claim, options) => measured('delete', () => provider.delete(claim, options)),
    get: (providerId, options) => measured('get', () => provider.get(providerId, options)),
    list: (options) => measured('list', () => provider.list(options)),
    getInstanceTypes: (pool, options) => measured('getInstanceTypes', () => provider.getInstanceTypes(pool, options)),
    isDrifted: (claim, options) => measured('isDrifted', () => provider.isDrifted(claim, options)),
  };
};
