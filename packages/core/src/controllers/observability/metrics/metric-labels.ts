import { annotations, labels } from '../../../apis/index.ts';
import type { NodeClaim, NodePool } from '../../../apis/index.ts';
import { durationMs } from '../../../base/index.ts';
import type { MetricLabels } from '../../../ports/index.ts';

const labelOf = (claim: NodeClaim | undefined, key: string): string => claim?.metadata.labels?.[key] ?? '';

export const nodePoolOf = (claim: NodeClaim | undefined): string => labelOf(claim, labels.nodePool);
export const zoneOf = (claim: NodeClaim | undefined): string => labelOf(claim, labels.zone);
export const capacityTypeOf = (claim: NodeClaim | undefined): string => labelOf(claim, labels.capacityType);

/** `true` when the claim was allowed fewer instance types than its pool asked for. */
export const minValuesRelaxedOf = ({ metadata }: NodeClaim): string => metadata.annotations?.[annotations.minValuesRelaxed] ?? 'false';

const terminationModeOf = ({ spec: { terminationGracePeriod } }: NodeClaim): string => {
  if (terminationGracePeriod === undefined) return 'graceful';
  return (durationMs(terminationGracePeriod) ?? 0) <= 0 ? 'forceful' : 'eventual';
};

/** `WhenEmptyOrUnderutilized` → `when_empty_or_underutilized`. Source: the original's `pretty.ToSnakeCase`. */
export const snakeCase = (text: string): string =>
  text
    .replace(/(.)([A-Z][a-z]+)/g, '$1_$2')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();

/** Of the reasons why a claim goes, those of consolidation: only they have a policy. */
const CONSOLIDATION_REASONS: readonly string[] = ['empty', 'underutilized'];

const policyOf = (reason: string, pool: NodePool | undefined): string =>
  CONSOLIDATION_REASONS.includes(reason) ? snakeCase(pool?.spec.disruption?.consolidationPolicy ?? 'WhenEmptyOrUnderutilized') : '';

export const disruptedLabels = (claim: NodeClaim, reason: string, pool: NodePool | undefined): MetricLabels => ({
  reason,
  nodepool: nodePoolOf(claim),
  capacity_type: capacityTypeOf(claim),
  consolidation_policy: policyOf(reason, pool),
  termination_mode: terminationModeOf(claim),
});

const CONSOLIDATION_TYPES: Readonly<Record<string, string>> = {
  emptiness: 'empty',
  rebalance: 'rebalance',
  'multi-node': 'multi',
  'single-node': 'single',
};

/** The original's name for a method, and ours for a rebalance; empty for drift. */
export const consolidationTypeOf = (method: string): string => CONSOLIDATION_TYPES[method] ?? '';
