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
