import { createHash } from 'node:crypto';
import { labels, nodeClassLabel } from '../apis/index.ts';
import type { NodeClaim, NodePool } from '../apis/index.ts';
import type { PlannedNode } from '../scheduling/index.ts';
import { PLANNED_PODS_ANNOTATION, podId } from '../state/index.ts';

/** As Kubernetes names what it generates: no vowels, no digits that look like letters. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 8;
/** Short enough that a provider may put up to eight characters before it and still has a hostname (63 characters). */
const MAX_NAME_LENGTH = 55;

/**
 * A claim's name: its pool's, and eight letters that follow from `seed`. It is a DNS label, because clouds make
 * hostnames of it: dots, which the name of a pool may have, become dashes. The same attempt to create it gives the same
 * name, so that trying again after a lost answer finds the first one instead of making a second.
 */
export const claimName = (nodePoolName: string, seed: string): string => {
  const digest = createHash('sha256').update(nodePoolName).update('\n').update(seed).digest();
  const suffix = [...digest.subarray(0, SUFFIX_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('');
  const label = nodePoolName.replaceAll('.', '-').slice(0, MAX_NAME_LENGTH - SUFFIX_LENGTH - 1);
  return `${label}-${suffix}`;
};

/** A planned node to create a claim for, and in which attempt. */
export interface PlannedClaim {
  readonly planned: PlannedNode;
  readonly pool: NodePool;
  /** Different for each plan, the same when one plan's writes are repeated. */
  readonly attempt: string;
  /** Position in the plan. */
  readonly index: number;
  /** Further annotations of the claim. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** For a claim whose pool states none. */
  readonly terminationGracePeriod?: string | undefined;
}

/** The NodeClaim for a planned node, ready to be written. Deterministic. */
export const claimOfPlanned = ({ planned, pool, attempt, index, annotations, terminationGracePeriod }: PlannedClaim): NodeClaim => {
  const { name, uid = '' } = pool.metadata;
  const [nodeClassKey, nodeClassName] = nodeClassLabel(planned.claim.spec.nodeClassRef);
  const podIds = planned.pods.map(podId);
  return {
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: claimName(name, [attempt, index, ...podIds].join(',')),
      generateName: `${name}-`,
      labels: { ...planned.claim.labels, [labels.nodePool]: name, [nodeClassKey]: nodeClassName },
      annotations: { ...planned.claim.annotations, [PLANNED_PODS_ANNOTATION]: podIds.join(','), ...annotations },
      ownerReferences: [{ apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name, uid, blockOwnerDeletion: true }],
    },
    spec: { ...(terminationGracePeriod === undefined ? {} : { terminationGracePeriod }), ...planned.claim.spec },
  };
};
