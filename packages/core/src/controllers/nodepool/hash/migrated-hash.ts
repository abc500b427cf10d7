import { annotations, nodeClaimConditions } from '../../../apis/index.ts';
import type { NodeClaim } from '../../../apis/index.ts';
import { isConditionTrue } from '../../../kube/index.ts';

type Annotations = Readonly<Record<string, string>>;

/**
 * What a claim that was hashed by another rule is to say; undefined when it was hashed by this one. A claim that has drifted keeps its hash,
 * so that it stays drifted; any other is taken to be what the pool asks for.
 */
export const migratedHash = (claim: NodeClaim, wanted: Annotations): Annotations | undefined => {
  const version = wanted[annotations.nodePoolHashVersion];
  if (version === undefined || claim.metadata.annotations?.[annotations.nodePoolHashVersion] === version) return undefined;
  const hasDrifted = isConditionTrue(claim.status?.conditions, nodeClaimConditions.drifted);
  return hasDrifted ? { [annotations.nodePoolHashVersion]: version } : wanted;
};
