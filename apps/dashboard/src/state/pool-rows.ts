import { narrowSnapshot } from '@karpenter/cli/answers';
import { type InstanceType, type LabelCatalog, type NodePool, quantitiesOf, resourcesOf } from '@karpenter/core';
import { compareText, type NodePoolView } from '@karpenter/core/internal';
import type { LimitRow, NodeTile, PoolRow, TypeRow } from './dashboard-state.ts';

/** As many types as a person reads. */
const TYPES_SHOWN = 12;

interface MatchingTypes {
  readonly nodePool: NodePool;
  readonly matchingTypes: number;
  readonly cheapestTypes: readonly TypeRow[];
}

const GIB = 1024 ** 3;
const isOfBytes = (resource: string): boolean => resource === 'memory' || resource === 'ephemeral-storage';

/** As a person reads it: bytes as `74.1Gi`, where the API server has `77692032Ki`. */
const quantityOf = (resource: string, amount: number): string =>
  isOfBytes(resource) && amount >= GIB ? `${Number((amount / GIB).toFixed(1))}Gi` : (quantitiesOf({ [resource]: amount })[resource] ?? '0');

const typeRows = ({ name, capacity, offerings }: InstanceType): readonly TypeRow[] =>
  offerings.slice(0, 1).map(({ pricePerHour, zone, capacityType }) => ({
    ...{ name, pricePerHour, zone, capacityType },
    cpu: quantityOf('cpu', capacity['cpu'] ?? 0),
    memory: quantityOf('memory', capacity['memory'] ?? 0),
  }));

const limitRows = ({ nodePool, usage }: NodePoolView): readonly LimitRow[] =>
  Object.entries(resourcesOf(nodePool.spec.limits ?? {}))
    .map(([resource, limit]) => {
      const used = usage[resource] ?? 0;
      const share = limit === 0 ? 1 : used / limit;
      return { resource, used: quantityOf(resource, used), limit: quantityOf(resource, limit), share };
    })
    .sort((a, b) => compareText(a.resource, b.resource));

/** Makes rows of NodePools. Which types match is worked out once for each catalog: Azure has 1,300 sizes. */
export class PoolRows {
  readonly #matching = new WeakMap<readonly InstanceType[], MatchingTypes>();
  readonly #labelCatalog: LabelCatalog;

  constructor(labelCatalog: LabelCatalog) {
    this.#labelCatalog = labelCatalog;
  }

  of(views: readonly NodePoolView[], tiles: readonly NodeTile[]): readonly PoolRow[] {
    const byPool = Map.groupBy(tiles, ({ nodePool = '' }) => nodePool);
    return views
      .map((view) => {
        const { name } = view.nodePool.metadata;
        const own = byPool.get(name) ?? [];
        const { matchingTypes, cheapestTypes } = this.#matchingTypes(view);
        return {
          name,
          weight: view.nodePool.spec.weight ?? 0,
          ...(view.launchBlock === undefined ? {} : { closedBy: view.launchBlock }),
          nodes: own.length,
          pricePerHour: own.reduce((sum, { pricePerHour = 0 }) => sum + pricePerHour, 0),
          limits: limitRows(view),
          ...{ matchingTypes, cheapestTypes },
        };
      })
      .sort((a, b) => b.weight - a.weight || compareText(a.name, b.name));
  }

  #matchingTypes(view: NodePoolView): MatchingTypes {
    const known = this.#matching.get(view.instanceTypes);
    if (known?.nodePool.spec === view.nodePool.spec) return known;
    const types = narrowSnapshot([view], { labelCatalog: this.#labelCatalog }).flatMap(({ instanceTypes }) => instanceTypes);
    const rows = types.flatMap(typeRows).sort((a, b) => a.pricePerHour - b.pricePerHour || compareText(a.name, b.name));
    const matching = { nodePool: view.nodePool, matchingTypes: types.length, cheapestTypes: rows.slice(0, TYPES_SHOWN) };
    this.#matching.set(view.instanceTypes, matching);
    return matching;
  }
}
