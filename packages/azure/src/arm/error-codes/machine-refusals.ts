import { isRestError } from '@azure/core-rest-pipeline';
import { ArmError } from '../arm-error.ts';
import { listOf, textsIn } from '../calls/shape.ts';
import { refusalBodyIn } from './inner-refusals.ts';

/** Some machines of a batch were refused, each for a reason of its own; the others were accepted. */
const CLIENT_ERROR = 'BatchMachineClientError';
/** The same, but no refusal is due to the request. */
const INTERNAL_ERROR = 'BatchMachineInternalServerError';
/** Of one machine: AKS is not well. */
const INTERNAL = 'InternalOperationError';

interface Detail {
  readonly code?: string;
  readonly message?: string;
  /** The machine. */
  readonly target?: string;
}

/** The details of internal errors are JSON in the message. */
const detailsIn = ({ armCode, cause }: ArmError): readonly Detail[] => {
  const body = refusalBodyIn(isRestError(cause) ? cause.response?.bodyAsText : undefined);
  const { details } = armCode === INTERNAL_ERROR ? refusalBodyIn(textsIn(body)['message']) : body;
  return listOf(details).map(textsIn);
};

/** Whether an answer is about single machines of a batch: the others were accepted, and the batch is not to be sent again. */
export const isAboutSingleMachines = (text: string | null | undefined): boolean => text?.includes(INTERNAL_ERROR) ?? false;

/**
 * Why single machines of a batch were refused: name in lower case → failure. Undefined when all were, by what was
 * thrown, or when the answer does not say which. Source: the original's `designs/0010-aks-machines-batch-creation.md`.
 */
export const machineRefusalsIn = (error: ArmError): ReadonlyMap<string, ArmError> | undefined => {
  if (error.armCode !== CLIENT_ERROR && error.armCode !== INTERNAL_ERROR) return undefined;
  const refusals = detailsIn(error).flatMap(
    ({ code: armCode = '', message = '', target = '' }): readonly (readonly [string, ArmError])[] => {
      const code = armCode === INTERNAL || error.armCode === INTERNAL_ERROR ? 'server' : 'refused';
      return target === '' ? [] : [[target.toLowerCase(), new ArmError(`${armCode}: ${message}`, { code, armCode, cause: error })]];
    },
  );
  return refusals.length === 0 ? undefined : new Map(refusals);
};
