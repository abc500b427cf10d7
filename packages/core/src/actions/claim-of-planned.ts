import { labels, nodeClassLabel } from '../apis/index.ts';
import type { NodeClaim, NodePool } from '../apis/index.ts';
import { PLANNED_PODS_ANNOTATION, podId } from '../state/index.ts';
import type { PlannedNode } from '../scheduling/index.ts';
import { claimName } from './claim-name.ts';

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
