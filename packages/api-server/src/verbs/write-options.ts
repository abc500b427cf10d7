import type { JsonObject } from '../json/json.ts';
import type { Resource } from '../resources/resource.ts';
import type { ApiError } from '../status/api-error.ts';
import { badRequest } from '../status/refusals.ts';

/** A write that has been found valid and is about to happen. */
export interface PendingWrite {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly resource: Resource;
  /** Absent for a delete. */
  readonly object: JsonObject | undefined;
  /** Absent for a create. */
  readonly oldObject: JsonObject | undefined;
}

/** The options of a write. */
export interface WriteParams {
  readonly dryRun: boolean;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** Who the fields belong to afterwards. `Differs:` without a manager (in-process writes) no field ownership is recorded. */
  readonly fieldManager: string | undefined;
  readonly force: boolean;
  readonly subresource: string | undefined;
  readonly warn: (text: string) => void;
  /** The refusal of a body that cannot be read; without it, that of a create. */
  readonly refuseBody?: (problem: string) => ApiError;
  /**
   * Throws an `ApiError` to refuse. Writes from inside the process pass: admission policies are for those who come from
   * outside.
   */
  readonly admit: (write: PendingWrite) => void;
}

/** A plain write from inside the process. */
export const LOCAL_WRITE: WriteParams = {
  dryRun: false,
  fieldValidation: 'Ignore',
  fieldManager: undefined,
  force: false,
  subresource: undefined,
  warn: () => undefined,
  admit: () => undefined,
};

/** Refuses or warns about members that a kind does not have, as `fieldValidation` says. */
export const reportUnknownFields = (
  resource: Resource,
  unknownFields: readonly string[],
  options: Pick<WriteParams, 'fieldValidation' | 'warn' | 'refuseBody'>,
): void => {
  if (unknownFields.length === 0 || options.fieldValidation === 'Ignore') return;
  const texts = unknownFields.map((path) => `unknown field ${JSON.stringify(path)}`);
  if (options.fieldValidation === 'Strict') throw unreadable(resource, `strict decoding error: ${texts.join(', ')}`, options);
  texts.forEach(options.warn);
};

/** The refusal of a body that cannot be read as what it says it is. */
export const unreadable = (
  { kind, version }: Pick<Resource, 'kind' | 'version'>,
  problem: string,
  { refuseBody }: Pick<WriteParams, 'refuseBody'>,
): ApiError => refuseBody?.(problem) ?? badRequest(`${kind} in version "${version}" cannot be handled as a ${kind}: ${problem}`);
