import type { VirtualMachine, VirtualMachineUpdate } from '@azure/arm-compute';
import { keptClassHashTag } from './machine-tags.ts';
import type { InPlaceGoal } from './in-place-hash.ts';

type Tags = Readonly<Record<string, string>>;

const missingIdentities = (vm: VirtualMachine, wanted: readonly string[]): readonly string[] => {
  const assigned = new Set(Object.keys(vm.identity?.userAssignedIdentities ?? {}).map((id) => id.toLowerCase()));
  return wanted.filter((id) => !assigned.has(id.toLowerCase()));
};

const areSame = (left: Tags, right: Tags): boolean =>
  Object.keys(left).length === Object.keys(right).length && Object.entries(left).every(([key, value]) => right[key] === value);

/** The tags that a machine is to have, where it has others: all of them, with that of its class kept. */
export const changedTags = (has: Tags | undefined, goal: Tags): Tags | undefined => {
  const wanted = { ...goal, ...keptClassHashTag(has) };
  return areSame(has ?? {}, wanted) ? undefined : wanted;
};

export type InPlaceChange = Pick<VirtualMachineUpdate, 'tags' | 'identity'>;

/**
 * What is PATCHed to bring a machine to its goal: tags that differ, and the identities that it lacks. Undefined: it is
 * there already.
 */
export const inPlaceChangeOf = (vm: VirtualMachine, goal: InPlaceGoal): InPlaceChange | undefined => {
  const missing = missingIdentities(vm, goal.identityIds);
  const tags = changedTags(vm.tags, goal.tags);
  if (tags === undefined && missing.length === 0) return undefined;
  const hasOwn = vm.identity?.type?.includes('SystemAssigned') === true;
  return {
    ...(tags && { tags: { ...tags } }),
    ...(missing.length > 0 && {
      identity: {
        type: hasOwn ? 'SystemAssigned, UserAssigned' : 'UserAssigned',
        userAssignedIdentities: Object.fromEntries(missing.map((id) => [id, {}])),
      },
    }),
  };
};
