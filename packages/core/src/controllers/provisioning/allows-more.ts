import type { CacheChange } from '@karpenter/runtime';
import { nodePoolConditions } from '../../state/index.ts';
import type { NodePool } from '../../apis/index.ts';
import { conditionOf } from '../../kube/index.ts';

const isReady = ({ status }: NodePool): boolean => conditionOf(status?.conditions, nodePoolConditions.ready)?.status === 'True';

/** Whether a pod that found no place may find one after this change of a NodePool: it became ready, or a person edited it. */
export const allowsMore = (change: CacheChange<NodePool>): boolean => {
  switch (change.type) {
    case 'added':
      return isReady(change.object);
    case 'updated':
      return (
        isReady(change.object) && (!isReady(change.previous) || change.object.metadata.generation !== change.previous.metadata.generation)
      );
    case 'deleted':
      return false;
  }
};
