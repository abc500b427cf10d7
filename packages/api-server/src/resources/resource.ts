import type { TableColumn } from '../columns/column.ts';
import type { JsonObject } from '../json/json.ts';
import type { Decoded } from '../schema/decode.ts';
import type { Schema } from '../schema/schema.ts';
import type { FieldReader } from '../store/table.ts';
import { asJson, type StoredObject } from '../store/stored-object.ts';
import type { Strategy } from './strategy.ts';

/** Where the `scale` subresource of a kind reads and writes, as dotted paths. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  /** A selector as text or as a LabelSelector object or a plain map. */
  readonly selector: string | undefined;
}

/** One served version of one resource. */
export interface Resource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  /** Where its objects are stored, shared by all versions: `pods`, `deployments.apps`. */
  readonly storage: string;
  readonly schema: Schema;
  readonly hasStatus: boolean;
  readonly scale: ScalePaths | undefined;
  readonly columns: readonly TableColumn[];
  /** Fields besides metadata.name and metadata.namespace that a field selector may name. */
  readonly selectable: Readonly<Record<string, FieldReader>>;
  readonly strategy: Strategy;
  /** Reads a body: drops or keeps unknown members and says which. */
  readonly decode: (body: JsonObject) => Decoded;
  /** This version's form of a stored object and back; undefined when they are one. */
  readonly conversion: VersionConversion | undefined;
  readonly warning: string | undefined;
  /** Whether a delete is answered with the object although it is gone. */
  readonly answersDeleted: boolean;
  /** Custom resources are pruned, defaulted and validated by their schema. */
  readonly custom: boolean;
}

/** How a served version differs from the stored one. */
export interface VersionConversion {
  readonly fromStored: (object: JsonObject) => JsonObject;
  readonly toStored: (object: JsonObject) => JsonObject;
}

/** `v1` or `apps/v1`. */
export const apiVersionIn = ({ group, version }: { readonly group: string; readonly version: string }): string =>
  group === '' ? version : `${group}/${version}`;

/** A stored object as the version of a resource has it. */
export const versionedOf = ({ conversion }: Resource, object: StoredObject): JsonObject =>
  conversion === undefined ? asJson(object) : conversion.fromStored(asJson(object));
