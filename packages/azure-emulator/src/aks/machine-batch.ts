import type { ArmErrorBody, ArmRefusal } from '../faults/arm-error.ts';
import { refusal } from '../faults/arm-error.ts';
import { bodyProblem } from '../body/body-problem.ts';
import { aksBodyRefusal } from '../body/body-refusal.ts';
import { nameOf } from '../arm-id.ts';
import type { ArmRequest } from '../serve/route.ts';
import type { MachineBody } from './machine-body.ts';
import { batchShape } from './machine-shape.ts';

/** One machine of a batch: what it does not share with the others. */
export interface BatchEntry {
  readonly machineName: string;
  readonly zones?: readonly string[];
  readonly tags?: Readonly<Record<string, string>>;
}

const parsed = (header: string): unknown => {
  try {
    return JSON.parse(header);
  } catch {
    return undefined;
  }
};

const headerOf = ({ headers }: ArmRequest): string | undefined => headers['batchputmachine'];

/** Whether a PUT is for several machines. */
export const isBatch = (request: ArmRequest): boolean => headerOf(request) !== undefined;

/** What is wrong with the header of a batch: AKS makes the machine of the URL among others. */
export const batchRefusal = (request: ArmRequest): ArmRefusal | undefined => {
  const header = parsed(headerOf(request) ?? '');
  const refused = aksBodyRefusal(header, batchShape);
  if (refused !== undefined) return refused;
  const { batchMachines } = header as { readonly batchMachines: readonly BatchEntry[] };
  const names = batchMachines.map(({ machineName }) => machineName.toLowerCase());
  if (new Set(names).size !== names.length) return refusal(400, 'InvalidParameter', 'A machine is named twice in the batch.');
  if (names.includes(nameOf(request.path).toLowerCase())) return undefined;
  return refusal(400, 'InvalidParameter', `Machine ${nameOf(request.path)} is not among those of the batch.`);
};

/** The machines of a batch; none where the header is malformed. */
export const batchEntriesOf = (request: ArmRequest): readonly BatchEntry[] => {
  const header = parsed(headerOf(request) ?? '');
  if (bodyProblem(header, batchShape) !== undefined) return [];
  return (header as { readonly batchMachines: readonly BatchEntry[] }).batchMachines;
};

/** The body of one machine of a batch. Zones and tags of the shared body count for nothing. */
export const bodyOfEntry = ({ properties }: MachineBody, { zones = [], tags = {} }: BatchEntry): MachineBody => ({
  ...(zones.length > 0 && { zones }),
  properties: { ...properties, tags },
});

/** How AKS says that some machines of a batch were refused: those that are not named were accepted. */
export const partialRefusal = (refusals: ReadonlyMap<string, ArmRefusal>): ArmRefusal => {
  const details = [...refusals].map(([target, { status, error }]): ArmErrorBody => ({
    code: status >= 500 ? 'InternalOperationError' : error.code,
    message: error.message,
    target,
  }));
  const names = details.map(({ target }) => target).join(', ');
  return [...refusals.values()].every(({ status }) => status >= 500)
    ? refusal(500, 'BatchMachineInternalServerError', JSON.stringify({ details }))
    : { status: 400, error: { code: 'BatchMachineClientError', message: `the following machines failed: ${names}`, details } };
};
