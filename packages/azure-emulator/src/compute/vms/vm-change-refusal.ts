import type { ArmRefusal } from '../../faults/arm-error.ts';
import type { VmBody } from './vm-body.ts';
import { imageIdOf } from './vm-entry.ts';

/** What may not change once a machine was created: name → how to read it. */
const FIXED: Readonly<Record<string, (body: VmBody) => string | undefined>> = {
  zones: (body) => body.zones?.[0],
  'osProfile.customData': (body) => body.properties.osProfile.customData,
  'osProfile.computerName': (body) => body.properties.osProfile.computerName,
  'osProfile.adminUsername': (body) => body.properties.osProfile.adminUsername,
  imageReference: (body) => imageIdOf(body).toLowerCase(),
  priority: (body) => body.properties.priority ?? 'Regular',
  vmSize: (body) => body.properties.hardwareProfile.vmSize.toLowerCase(),
};

/**
 * Why an existing machine cannot become what a second PUT says, or undefined.
 *
 * Differs: Azure can resize a machine; a cluster node never is, so a changed size is refused here as well.
 */
export const vmChangeRefusal = (from: VmBody, to: VmBody): ArmRefusal | undefined => {
  const changed = Object.entries(FIXED).find(([, read]) => read(from) !== read(to))?.[0];
  if (changed === undefined) return undefined;
  return {
    status: 409,
    error: { code: 'PropertyChangeNotAllowed', message: `Changing property '${changed}' is not allowed.`, target: changed },
  };
};
