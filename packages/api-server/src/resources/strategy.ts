import type { JsonObject } from '../json/json.ts';
import type { FieldError } from '../status/field-error.ts';
import type { StoredObject } from '../store/stored-object.ts';

/** What admission may read besides the object. */
export interface AdmissionContext {
  readonly nowMs: number;
  /** Objects of another resource, by its storage name. */
  list(storage: string): readonly StoredObject[];
  get(storage: string, key: string): StoredObject | undefined;
  /** Allocates the next address of the cluster's service range. */
  nextServiceIp(): string;
}

/** What is particular to a kind. All members are optional; objects are mutable until they are stored. */
export interface Strategy {
  /** Fills in defaults; runs on create and on every update. */
  readonly defaults?: (object: JsonObject) => void;
  /** Sets what the server owns on a new object: the initial status, for example. */
  readonly prepareCreate?: (object: JsonObject, context: AdmissionContext) => void;
  /** Admission plugins of a new object. Throws an `ApiError` to refuse. */
  readonly admitCreate?: (object: JsonObject, context: AdmissionContext) => void;
  /** Brings over what an update may not touch. */
  readonly prepareUpdate?: (next: JsonObject, previous: StoredObject) => void;
  readonly validate?: (object: JsonObject) => readonly FieldError[];
  /**
   * Rules of a schema. They run only when nothing of the object's shape is wrong: a value that is only out of bounds
   * does not stop them.
   */
  readonly rules?: (object: JsonObject, previous: StoredObject | undefined) => readonly FieldError[];
  readonly validateUpdate?: (next: JsonObject, previous: StoredObject) => readonly FieldError[];
  /** How names of this kind are written. Default: a DNS subdomain. */
  readonly nameRule?: 'subdomain' | 'label' | 'label1035' | 'path';
  /** Whether `metadata.generation` counts changes outside of metadata and status. Default true. */
  readonly countsGeneration?: boolean;
  /** Whether an update without a resourceVersion replaces whatever is there. Default true; never for custom resources. */
  readonly replacesBlindly?: boolean;
  /** Whether an update of what is not there creates it. Default false. */
  readonly createsOnUpdate?: boolean;
  /** Whether a create keeps the status that it came with. Default false. */
  readonly keepsStatusOnCreate?: boolean;
}
