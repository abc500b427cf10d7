import type { NodePool } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import { CloudProviderError } from '../../cloudprovider/index.ts';
import type { CloudProvider } from '../../cloudprovider/index.ts';
import { isConditionTrue } from '../../kube/index.ts';
import type { DecisionReporter } from '../../ports/index.ts';

/** Condition types of a NodePool. `Ready` is true when the first two are. */
export const nodePoolConditions = {
  validationSucceeded: 'ValidationSucceeded',
  nodeClassReady: 'NodeClassReady',
  nodeRegistrationHealthy: 'NodeRegistrationHealthy',
  /** Ours: launches fail again and again, so there is a pause before the next try. No part of `Ready`. */
  launchBackoff: 'LaunchBackoff',
  /** Ours: whether any instance type meets the pool's requirements, with counts. No part of `Ready`. */
  instanceTypesMatch: 'InstanceTypesMatch',
  /** Ours: whether the nodes of a pool with `spec.minimum` reach it. No part of `Ready`. */
  minimumMet: 'MinimumMet',
  ready: 'Ready',
} as const;

/** Whether machines may be made for the pool at all: it is ready and not going. */
export const isUsable = ({ metadata, status }: NodePool): boolean =>
  metadata.deletionTimestamp === undefined && isConditionTrue(status?.conditions, nodePoolConditions.ready);

/** What the provider offers each pool, as last asked. */
export class PoolCatalogs {
  readonly #types = new Map<string, readonly InstanceType[]>();
  readonly #provider: CloudProvider;
  readonly #reporter: DecisionReporter;

  constructor(provider: CloudProvider, reporter: DecisionReporter) {
    this.#provider = provider;
    this.#reporter = reporter;
  }

  /**
   * Asks again for every pool; `pools` are those of the provider. A pool whose answer fails, also by a bug of the provider, launches
   * nothing until it succeeds; others do. One that is not usable, or whose answer is only late, is known by what it was
   * offered last. Source: the original's `disruption/helpers.go`, `BuildNodePoolMap`.
   */
  async refresh(pools: readonly NodePool[], signal: AbortSignal): Promise<void> {
    const names = new Set(pools.map(({ metadata }) => metadata.name));
    for (const name of [...this.#types.keys()]) if (!names.has(name)) this.#types.delete(name);
    await Promise.all(pools.map((pool) => this.#refreshOne(pool, signal)));
  }

  of(nodePoolName: string): readonly InstanceType[] {
    return this.#types.get(nodePoolName) ?? [];
  }

  async #refreshOne(pool: NodePool, signal: AbortSignal): Promise<void> {
    const nodePoolName = pool.metadata.name;
    try {
      this.#types.set(nodePoolName, await this.#provider.getInstanceTypes(pool, { signal }));
    } catch (error) {
      signal.throwIfAborted();
      if (!isUsable(pool)) return;
      if (!(error instanceof CloudProviderError) || error.code !== 'network') this.#types.delete(nodePoolName);
      this.#reporter.report({ kind: 'catalog-failed', nodePoolName, error });
    }
  }
}
