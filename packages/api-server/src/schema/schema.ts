import type { JsonValue } from '../json/json.ts';

/** One CEL rule of a schema node (`x-kubernetes-validations[]`). */
export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/**
 * A structural schema, as in a CustomResourceDefinition. The built-in kinds are described with it, too. So pruning,
 * field validation, defaults, merge keys and OpenAPI documents come from one place.
 */
export interface Schema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean';
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly default?: JsonValue;
  readonly nullable?: boolean;
  readonly enum?: readonly JsonValue[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
  /**
   * Full OpenAPI name of a built-in type; the graph of built-in types shares nodes, and documents refer to them by this
   * name.
   */
  readonly definition?: string;
  /** The Go type of a string that has one of its own. */
  readonly goType?: string;
  /** Members that Go writes: texts also when they are empty, numbers and booleans only when they are not zero, always. */
  readonly keptTexts?: readonly string[];
  readonly droppedZeros?: readonly string[];
  readonly alwaysWritten?: readonly string[];
  /** The struct that Go embeds in this one, and the members that do not come from it. */
  readonly embeds?: string;
  readonly ownMembers?: readonly string[];
}

/** The schema of one member of an object, or undefined when the member is not declared. */
export const memberSchema = (schema: Schema, member: string): Schema | undefined => {
  const declared = schema.properties;
  if (declared !== undefined && Object.hasOwn(declared, member)) return declared[member];
  return typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
};

/** Whether members that the schema does not declare are kept as they are. */
export const keepsUnknown = (schema: Schema): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] === true || schema.additionalProperties === true;
