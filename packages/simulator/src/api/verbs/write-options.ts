import { badRequest } from '../status/refusals.ts';

/** What a write is asked to do besides writing. */
export interface WriteOptions {
  readonly dryRun: boolean;
  readonly fieldValidation: 'Ignore' | 'Warn' | 'Strict';
  /** Who the fields belong to afterwards. `Differs:` without a manager (in-process writes) no field ownership is recorded. */
  readonly fieldManager: string | undefined;
  readonly force: boolean;
  readonly subresource: string | undefined;
  readonly warn: (text: string) => void;
}

/** A plain write from inside the process. */
export const LOCAL_WRITE: WriteOptions = {
  dryRun: false,
  fieldValidation: 'Ignore',
  fieldManager: undefined,
  force: false,
  subresource: undefined,
  warn: () => undefined,
};

/** Refuses or warns about members that a kind does not have, as `fieldValidation` says. */
export const reportUnknownFields = (unknownFields: readonly string[], options: WriteOptions): void => {
  if (unknownFields.length === 0 || options.fieldValidation === 'Ignore') return;
  const texts = unknownFields.map((path) => `unknown field ${JSON.stringify(path)}`);
  if (options.fieldValidation === 'Strict') throw badRequest(`strict decoding error: ${texts.join(', ')}`);
  texts.forEach(options.warn);
};
