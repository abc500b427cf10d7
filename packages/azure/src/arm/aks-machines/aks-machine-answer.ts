import type { AksMachine, AksMachineError } from './aks-machine.ts';
import { listOf, objectOf, textsIn, textsOf } from '../calls/shape.ts';

const errorIn = (value: unknown): AksMachineError | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const { code, message } = textsIn(value);
  const details = listOf(objectOf(value)['details']).flatMap((detail) => errorIn(detail) ?? []);
  return { ...(code !== undefined && { code }), ...(message !== undefined && { message }), details };
};

const statusIn = (value: unknown): AksMachine['properties']['status'] => {
  const { creationTimestamp, driftAction, vmState } = textsIn(value);
  const provisioningError = errorIn(objectOf(value)['provisioningError']);
  return {
    ...(creationTimestamp !== undefined && { creationTimestamp }),
    ...(driftAction !== undefined && { driftAction }),
    ...(vmState !== undefined && { vmState }),
    ...(provisioningError !== undefined && { provisioningError }),
  };
};

const TEXTS = new Set(['provisioningState', 'resourceId', 'nodeImageVersion', 'priority', 'eTag']);

/**
 * The machine in a response; undefined if it has no id, name or size. Fields that are read here have the expected type
 * or are absent. All other fields stay unchanged, because they are written back.
 */
export const aksMachineIn = (answer: unknown): AksMachine | undefined => {
  const { id, name, zones, properties } = objectOf(answer);
  const reported = objectOf(properties);
  if (typeof id !== 'string' || typeof name !== 'string' || textsIn(reported['hardware'])['vmSize'] === undefined) return undefined;
  const members = Object.entries(reported).filter(([key, value]) => value !== null && (!TEXTS.has(key) || typeof value === 'string'));
  const zoneNames = textsOf(zones);
  return {
    ...{ id, name },
    ...(zoneNames.length > 0 && { zones: zoneNames }),
    properties: {
      ...Object.fromEntries(members),
      ...{ kubernetes: objectOf(reported['kubernetes']), tags: textsIn(reported['tags']), status: statusIn(reported['status']) },
    },
  } as AksMachine;
};
