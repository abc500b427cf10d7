import { labels } from '../../apis/index.ts';
import type { NodeClaim, NodeOverlay, NodePool } from '../../apis/index.ts';
import { structuralHash } from '../../base/index.ts';
import { applyOverlays, overlayRules, poolLabelRequirements } from '../../catalog/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import { quantitiesOf } from '../../kube/index.ts';
import type { FollowedCache } from '../../ports/index.ts';
import { CloudProviderError } from '../../cloudprovider/index.ts';
import type { CloudProvider, Machine, TypesAsPlanned } from '../../cloudprovider/index.ts';
import { overlayVersion } from './overlay-evaluator.ts';
import type { OverlayVerdicts } from './overlay-evaluator.ts';
import { unchangedOf } from '../provider-wrappers/unchanged-of.ts';

/** What an overlaying provider knows of NodeOverlays. */
export interface OverlaidProviderDeps {
  readonly overlays: FollowedCache<NodeOverlay>;
  readonly nodePools: Pick<FollowedCache<NodePool>, 'get'>;
  readonly verdicts: OverlayVerdicts;
}

/** What one pool was last offered, and from what it was made. */
interface Offered {
  /** The overlays in force and the labels of the pool. */
  readonly key: string;
  readonly from: readonly InstanceType[];
  readonly types: readonly InstanceType[];
  /** The provider's type → ours. */
  readonly made: WeakMap<InstanceType, InstanceType>;
}

const unevaluated = (pool: string): CloudProviderError =>
  new CloudProviderError(
    'node-pool-unevaluated',
    `NodePool "${pool}" launches nothing until the NodeOverlays have been evaluated for its instance types`,
  );

/**
 * Overlays of one cluster as they are applied, pool by pool. The same input gives the same objects: what is compiled of
 * them is remembered by identity.
 */
class Overlays {
  readonly #deps: OverlaidProviderDeps;
  readonly #offered = new Map<string, Offered>();

  constructor(deps: OverlaidProviderDeps) {
    this.#deps = deps;
  }

  apply(pool: NodePool, from: readonly InstanceType[], catalog: CloudProvider['labelCatalog']): readonly InstanceType[] {
    const { name } = pool.metadata;
    const inForce = this.#inForce(name);
    if (inForce.length === 0) {
      this.#offered.delete(name);
      return from;
    }
    const key = `${inForce.map(overlayVersion).sort().join('\n')}\n${structuralHash(pool.spec.template.metadata?.labels ?? {})}`;
    const before = this.#offered.get(name);
    if (before?.key === key && before.from === from) return before.types;
    const made = before?.key === key ? before.made : new WeakMap<InstanceType, InstanceType>();
    const fresh = from.filter((type) => !made.has(type));
    const rules = overlayRules(inForce, catalog);
    applyOverlays(fresh, rules, poolLabelRequirements(pool, catalog)).forEach((type, index) => made.set(fresh[index] ?? type, type));
    const types = from.map((type) => made.get(type) ?? type);
    this.#offered.set(name, { key, from, types, made });
    return types;
  }

  /** The provider's types as the claim was planned with them; as they are for one whose pool is gone. */
  asPlanned(claim: NodeClaim, from: readonly InstanceType[], catalog: CloudProvider['labelCatalog']): readonly InstanceType[] {
    const pool = this.#deps.nodePools.get({ name: claim.metadata.labels?.[labels.nodePool] ?? '' });
    return pool === undefined ? from : this.apply(pool, from, catalog);
  }

  /** The machine with the resources that overlays say it has, so that it counts with them before its node has come up. */
  completed(machine: Machine, claim: NodeClaim): Machine {
    const offered = this.#offered.get(claim.metadata.labels?.[labels.nodePool] ?? '');
    const type = offered?.types.find(({ name }) => name === machine.labels[labels.instanceType]);
    const capacity = quantitiesOf(type?.overlaid?.capacity ?? {});
    return { ...machine, capacity: { ...machine.capacity, ...capacity }, allocatable: { ...machine.allocatable, ...capacity } };
  }

  #inForce(pool: string): readonly NodeOverlay[] {
    const { overlays, verdicts } = this.#deps;
    const all = overlays.list();
    if (!overlays.hasSynced() || (all.length > 0 && !verdicts.hasSeen(pool))) throw unevaluated(pool);
    return all.filter((overlay) => verdicts.isInForce(overlay));
  }
}

/**
 * The provider with the NodeOverlays in force applied: their prices and capacities in `getInstanceTypes` and, by
 * `asPlanned`, where a launch picks its machine; their capacities on launched machines. Overlays that were not
 * evaluated yet change nothing. Errors: besides the provider's own, `node-pool-unevaluated` for a pool whose types were
 * not evaluated yet.
 */
export const overlaidProvider = (provider: CloudProvider, deps: OverlaidProviderDeps): CloudProvider => {
  const overlays = new Overlays(deps);
  const asPlanned: TypesAsPlanned = (claim, types) => overlays.asPlanned(claim, types, provider.labelCatalog);
  return {
    ...unchangedOf(provider),
    create: async (claim, options) => overlays.completed(await provider.create(claim, { ...options, asPlanned }), claim),
    delete: (claim, options) => provider.delete(claim, options),
    get: (providerId, options) => provider.get(providerId, options),
    list: (options) => provider.list(options),
    getInstanceTypes: async (pool, options) => overlays.apply(pool, await provider.getInstanceTypes(pool, options), provider.labelCatalog),
    isDrifted: (claim, options) => provider.isDrifted(claim, options),
  };
};
