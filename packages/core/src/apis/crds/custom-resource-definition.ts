import type { JsonSchema } from './json-schema.ts';

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
