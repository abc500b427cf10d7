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
