import { type InstanceType, isConditionTrue, type LabelCatalog, type NodePool } from '@karpenter/core';
import { applyOverlays, type NodeOverlay, nodeOverlayConditions, overlayRules, poolLabelRequirements } from '@karpenter/core/internal';

/** A controller with the feature gate NodeOverlay says of an overlay that it counts. */
const isInForce = ({ status }: NodeOverlay): boolean => isConditionTrue(status?.conditions, nodeOverlayConditions.validationSucceeded);

/** What is left to say which types a pool is offered. */
export interface PoolOverlays {
  readonly nodePool: NodePool;
  readonly overlays: readonly NodeOverlay[];
  readonly labelCatalog: LabelCatalog;
}

/** The types with the prices and capacities of the NodeOverlays in force. */
export const overlaidTypes = (
  types: readonly InstanceType[],
  { nodePool, overlays, labelCatalog }: PoolOverlays,
): readonly InstanceType[] => {
  const rules = overlayRules(overlays.filter(isInForce), labelCatalog);
  return rules.length === 0 ? types : applyOverlays(types, rules, poolLabelRequirements(nodePool, labelCatalog));
};
