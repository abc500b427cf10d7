import { GROUP, labels } from '../names.ts';
import type { CelRule } from './json-schema.ts';

/** What a cluster's cloud adds to core's CRDs: rules about label keys. */
export interface LabelRules {
  /** On the `key` of each requirement of NodePools, NodeClaims and NodeOverlays; `self` is the key. */
  readonly requirementKey: readonly CelRule[];
  /** On `spec.template.metadata.labels` of NodePools; `self` is the map. */
  readonly labelMap: readonly CelRule[];
}

export const noLabelRules: LabelRules = { requirementKey: [], labelMap: [] };

const ownKey = (key: string): string =>
  `${key} in ['${labels.capacityType}', '${labels.nodePool}'] || !${key}.matches('^([^/]+[.])?${GROUP.replace('.', '[.]')}/')`;

/** The rules about one label key that hold with every cloud; `key` is how the rule names it. */
export const ownKeyRules = (key: string): readonly CelRule[] => [
  { rule: ownKey(key), message: `label domain "${GROUP}" is restricted` },
  { rule: `${key} != '${labels.hostname}'`, message: `label "${labels.hostname}" is restricted` },
];

/** Only the NodePool's own name may stand there, and that is set for the user. */
export const nodePoolKeyRule = (key: string): CelRule => ({
  rule: `${key} != '${labels.nodePool}'`,
  message: `label "${labels.nodePool}" is restricted`,
});

/** Rules about each key of a map. */
export const overKeys = (rules: readonly CelRule[]): readonly CelRule[] =>
  rules.map(({ rule, message }) => ({ rule: `self.all(x, ${rule})`, message }));
