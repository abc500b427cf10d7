import type { VirtualMachine, VirtualMachineUpdate } from '@azure/arm-compute';
import { keptClassHashTag } from './class-hash-tag.ts';
import type { InPlaceGoal } from './in-place-hash.ts';

const missingIdentities = (vm: VirtualMachine, wanted: readonly string[]): readonly string[] => {
  const assigned = new Set(Object.keys(vm.identity?.userAssignedIdentities ?? {}).map((id) => id.toLowerCase()));
  return wanted.filter((id) => !assigned.has(id.toLowerCase()));
};

/** What is PATCHed to bring a machine to its goal: the tags as a whole, but for that of its class, and the identities that it lacks. None is ever taken away. */
export const inPlaceChangeOf = (vm: VirtualMachine, goal: InPlaceGoal): Pick<VirtualMachineUpdate, 'tags' | 'identity'> => {
  const missing = missingIdentities(vm, goal.identityIds);
  const hasOwn = vm.identity?.type?.includes('SystemAssigned') === true;
  return {
    tags: { ...goal.tags, ...keptClassHashTag(vm.tags) },
    ...(missing.length > 0 && {
      identity: {
        type: hasOwn ? 'SystemAssigned, UserAssigned' : 'UserAssigned',
        userAssignedIdentities: Object.fromEntries(missing.map((id) => [id, {}])),
      },
    }),
  };
};
