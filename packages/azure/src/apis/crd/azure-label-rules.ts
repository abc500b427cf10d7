import type { CelRule } from '@karpenter/core';
import { aksLabels, azureLabels, legacyAksLabels } from '../azure-names.ts';

const OWN = Object.values(azureLabels).filter((key) => key !== azureLabels.skuHyperVGeneration);

const AKS = [
  aksLabels.mode,
  aksLabels.scaleSetPriority,
  aksLabels.priority,
  aksLabels.fipsEnabled,
  aksLabels.osSku,
  aksLabels.cluster,
  aksLabels.skuCpu,
  aksLabels.skuMemory,
  aksLabels.ebpfDataplane,
  'kubernetes.azure.com/ebpf-host-routing',
  'kubernetes.azure.com/network-policy',
  'kubernetes.azure.com/hostedvm',
];

const quoted = (keys: readonly string[]): string => keys.map((key) => `'${key}'`).join(', ');

const onlyKnown = (domain: string, allowed: readonly string[], key: string): CelRule => ({
  rule: `!${key}.matches('^[^/]*${domain.replaceAll('.', '[.]')}/') || ${key} in [${quoted(allowed)}]`,
  message: `label domain "${domain}" is restricted to its well-known labels`,
});

const rulesFor = (key: string): readonly CelRule[] => [
  onlyKnown('karpenter.azure.com', OWN, key),
  onlyKnown('kubernetes.azure.com', AKS, key),
  { rule: `!(${key} in [${quoted(legacyAksLabels)}])`, message: `the labels ${legacyAksLabels.join(', ')} belong to AKS` },
];

/** What the cluster's cloud adds to core's CRDs: rules for the `key` of one requirement, and for a map of labels. */
export interface CloudLabelRules {
  /** On the `key` property of the requirements of NodePools, NodeClaims and NodeOverlays. */
  readonly requirementKey: readonly CelRule[];
  /** On `spec.template.metadata.labels` of NodePools. */
  readonly labelMap: readonly CelRule[];
}

/** Which Azure labels users may name. Source: the original's `hack/validation/{labels,requirements}.sh`. */
export const azureLabelRules = (): CloudLabelRules => ({
  requirementKey: rulesFor('self'),
  labelMap: rulesFor('x').map(({ rule, message }) => ({ rule: `self.all(x, ${rule})`, message })),
});
