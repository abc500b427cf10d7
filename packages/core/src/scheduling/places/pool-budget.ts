import { addBit, emptyBitSet, nextBit } from '../../base/index.ts';
import type { BitSet } from '../../base/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import { resourcesOf } from '../../kube/index.ts';
import type { Resources } from '../../kube/index.ts';
import type { Allowance } from './fit.ts';
import type { NodeTemplate } from './node-template.ts';

/** A limit of a pool, and how much of it is gone. */
export interface Limit {
  readonly resource: string;
  readonly limit: number;
  readonly used: number;
}

/** What a pool's limits still allow. Each new node is charged with the largest capacity it may turn out to have, and with itself. */
export interface PoolBudget {
  /** Types that may still be launched; none when the pool has reached its count of nodes. */
  readonly allowance: () => Allowance;
  readonly charge: (types: BitSet) => void;
  readonly limits: () => readonly Limit[];
  readonly isLimited: boolean;
}

const NODES = 'nodes';

/** The limits of a pool and what its nodes use, less the nodes that count as gone. */
export const limitsOf = ({ pool }: NodeTemplate, gone: readonly NodeView[]): readonly Limit[] =>
  Object.entries(resourcesOf(pool.nodePool.spec.limits)).map(([resource, limit]) => {
    let used = pool.usage[resource] ?? 0;
    for (const node of gone) {
      const counts = node.nodePoolName === pool.nodePool.metadata.name && !node.isMarkedForDeletion;
      if (counts) used -= resource === NODES ? 1 : (node.capacity[resource] ?? 0);
    }
    return { resource, limit, used };
  });

/** The most of a resource that any of the types has; 1 of `nodes`. */
export const largest = (template: NodeTemplate, types: BitSet, resource: string): number => {
  if (resource === NODES) return 1;
  let most = 0;
  for (let type = nextBit(types, 0); type >= 0; type = nextBit(types, type + 1)) {
    most = Math.max(most, template.catalog.types[type]?.capacity[resource] ?? 0);
  }
  return most;
};

const isWithin = (capacity: Resources, limits: readonly Limit[]): boolean =>
  limits.every(({ resource, limit, used }) => (resource === NODES ? 1 : (capacity[resource] ?? 0)) <= limit - used);

/** Whether nodes of these type sets, all launched at their largest, would stay within the limits. */
export const keepsLimits = (template: NodeTemplate, limits: readonly Limit[], nodes: readonly BitSet[]): boolean =>
  limits.every(({ resource, limit, used }) => nodes.reduce((sum, types) => sum + largest(template, types, resource), used) <= limit);

/** The largest capacity of any type of the pool, limit by limit. */
const largestOfAll = (template: NodeTemplate, limits: readonly Limit[]): readonly number[] =>
  limits.map(({ resource }) => largest(template, template.everyType.types, resource));

const allowanceOf = (template: NodeTemplate, limits: readonly Limit[]): Allowance => {
  const { types } = template.catalog;
  const allowed = emptyBitSet(types.length);
  types.forEach(({ capacity }, type) => {
    if (isWithin(capacity, limits)) addBit(allowed, type);
  });
  return { id: `${allowed.join('.')}:`, types: allowed };
};

export const poolBudget = (template: NodeTemplate, gone: readonly NodeView[]): PoolBudget => {
  let limits = limitsOf(template, gone);
  const largestTypes = largestOfAll(template, limits);
  const charges = new Map<BitSet, readonly number[]>();
  const chargeOf = (types: BitSet): readonly number[] => {
    const known = charges.get(types);
    if (known !== undefined) return known;
    const fresh = limits.map(({ resource }) => largest(template, types, resource));
    charges.set(types, fresh);
    return fresh;
  };
  const current = (): Allowance => {
    const isFarAway = limits.every(({ limit, used }, index) => limit - used >= (largestTypes[index] ?? 0));
    return isFarAway ? template.everyType : allowanceOf(template, limits);
  };
  let allowance = current();
  return {
    allowance: () => allowance,
    limits: () => limits,
    isLimited: limits.length > 0,
    charge: (types) => {
      if (limits.length === 0) return;
      const charge = chargeOf(types);
      limits = limits.map((limit, index) => ({ ...limit, used: limit.used + (charge[index] ?? 0) }));
      allowance = current();
    },
  };
};
