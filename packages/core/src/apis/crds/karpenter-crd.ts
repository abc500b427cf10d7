import { GROUP, labels } from '../names.ts';
import type { CelRule, CrdVersion, CustomResourceDefinition, JsonSchema, PrinterColumn } from './custom-resource-definition.ts';

interface KarpenterKind {
  readonly kind: string;
  readonly shortNames?: readonly string[];
  readonly version: string;
  readonly description: string;
  readonly columns: readonly PrinterColumn[];
  readonly scale?: NonNullable<CrdVersion['subresources']>['scale'];
  readonly spec: JsonSchema;
  readonly status: JsonSchema;
}

/** The CRD of a kind of Karpenter's own group, with one version: for the whole cluster, its status a subresource. */
export const karpenterCrd = ({
  kind,
  shortNames,
  version,
  description,
  columns,
  scale,
  spec,
  status,
}: KarpenterKind): CustomResourceDefinition => {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${GROUP}` },
    spec: {
      group: GROUP,
      names: { categories: ['karpenter'], kind, listKind: `${kind}List`, plural, ...(shortNames && { shortNames }), singular },
      scope: 'Cluster',
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          additionalPrinterColumns: columns,
          subresources: { ...(scale && { scale }), status: {} },
          schema: {
            openAPIV3Schema: {
              type: 'object',
              description,
              required: ['spec'],
              properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: { type: 'object' }, spec, status },
            },
          },
        },
      ],
    },
  };
};

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
