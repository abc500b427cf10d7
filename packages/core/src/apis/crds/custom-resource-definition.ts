import { GROUP, labels } from '../names.ts';

/** An OpenAPI v3 schema as CustomResourceDefinitions hold it. */
export interface JsonSchema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'boolean' | 'number';
  readonly description?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly 'x-kubernetes-validations'?: readonly CelRule[];
  readonly 'x-kubernetes-list-type'?: 'map' | 'set' | 'atomic';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
}

/** A rule that the API server checks, and what it says when the rule does not hold. */
export interface CelRule {
  readonly rule: string;
  readonly message: string;
}

/** apiextensions.k8s.io/v1 CustomResourceDefinition as plain JSON, as far as this project's kinds use it. */
export interface CustomResourceDefinition {
  readonly apiVersion: 'apiextensions.k8s.io/v1';
  readonly kind: 'CustomResourceDefinition';
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: {
      readonly kind: string;
      readonly listKind: string;
      readonly plural: string;
      readonly singular: string;
      readonly shortNames?: readonly string[];
      readonly categories?: readonly string[];
    };
    readonly scope: 'Cluster' | 'Namespaced';
    readonly conversion?: { readonly strategy: 'None' };
    readonly versions: readonly CrdVersion[];
  };
}

/** One version of a CustomResourceDefinition, with its schema. */
export interface CrdVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated?: boolean;
  readonly deprecationWarning?: string;
  readonly additionalPrinterColumns?: readonly PrinterColumn[];
  readonly subresources?: {
    readonly status?: Readonly<Record<string, never>>;
    readonly scale?: { readonly specReplicasPath: string; readonly statusReplicasPath: string };
  };
  readonly schema: { readonly openAPIV3Schema: JsonSchema };
}

/** A column of `kubectl get`; priority 1 shows with `-o wide` only. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date';
  readonly jsonPath: string;
  readonly priority?: number;
}

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
