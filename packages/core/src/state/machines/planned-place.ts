import { labels } from '../../apis/index.ts';
import type { NodeClaim } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import { maxResources, resourcesOf } from '../../kube/index.ts';
import type { Resources } from '../../kube/index.ts';

/**
 * The labels that a claim's node will have whatever machine it gets: the claim's own, and each requirement with one
 * value left. What is still open is left out, so that no pod is nominated for a zone that the machine may not get.
 */
export const certainLabels = (claim: NodeClaim): Readonly<Record<string, string>> => {
  const certain: Record<string, string> = {};
  for (const { key, operator, values } of claim.spec.requirements) {
    const [only, ...others] = values ?? [];
    if (operator === 'In' && only !== undefined && others.length === 0) certain[key] = only;
  }
  return { ...certain, ...claim.metadata.labels };
};

/** Room on a machine that has not been launched: what its pods asked for and no more, since its size is still open. */
export const certainRoom = (claim: NodeClaim): Resources => resourcesOf(claim.spec.resources?.requests);

/**
 * The most that the claim's machine can turn out to have, of each resource: the largest of the instance types that it
 * names. Limits count this until the launch has decided, so that they hold whatever the cloud picks.
 */
export const largestCapacity = (claim: NodeClaim, instanceTypes: readonly InstanceType[]): Resources => {
  const named = claim.spec.requirements.find(({ key, operator }) => key === labels.instanceType && operator === 'In')?.values;
  const names = new Set(named);
  let largest = certainRoom(claim);
  for (const type of instanceTypes) if (named === undefined || names.has(type.name)) largest = maxResources(largest, type.capacity);
  return largest;
};
