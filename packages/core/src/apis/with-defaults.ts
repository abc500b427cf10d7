import type { Budget, ConsolidationPolicy, Disruption, NodePool } from './node-pool.ts';

const DEFAULT_EXPIRE_AFTER = '720h';

/** `spec.disruption` with nothing left open. */
export interface DefaultedDisruption extends Disruption {
  readonly consolidateAfter: string;
  readonly consolidationPolicy: ConsolidationPolicy;
  readonly budgets: readonly Budget[];
}

/**
 * The pool's disruption settings, defaults where it is silent. An empty list of budgets is none at all: nothing limits
 * the pool.
 */
export const disruptionOf = (nodePool: NodePool): DefaultedDisruption => {
  const {
    consolidateAfter = '0s',
    consolidationPolicy = 'WhenEmptyOrUnderutilized',
    budgets = [{ nodes: '10%' }],
  } = nodePool.spec.disruption ?? {};
  return { consolidateAfter, consolidationPolicy, budgets };
};

/** The pool as the API server stores it: the CRD's defaults filled in. Filling in twice changes nothing. */
export const withDefaults = (nodePool: NodePool): NodePool => {
  const { template } = nodePool.spec;
  const expireAfter = template.spec.expireAfter ?? DEFAULT_EXPIRE_AFTER;
  return {
    ...nodePool,
    spec: { ...nodePool.spec, template: { ...template, spec: { ...template.spec, expireAfter } }, disruption: disruptionOf(nodePool) },
  };
};
