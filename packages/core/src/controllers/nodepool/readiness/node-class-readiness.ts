import type { ConditionChange } from '../../../actions/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import type { NodeClassObject } from '../../../ports/index.ts';
import { nodePoolConditions } from '../../../state/index.ts';

const type = nodePoolConditions.nodeClassReady;

/** What a pool says about its NodeClass; undefined: there is none of that name. */
export const nodeClassReadiness = (nodeClass: NodeClassObject | undefined): ConditionChange => {
  if (nodeClass === undefined) return { type, status: 'False', reason: 'NodeClassNotFound', message: 'NodeClass not found on cluster' };
  if (nodeClass.metadata.deletionTimestamp !== undefined) {
    return { type, status: 'False', reason: 'NodeClassTerminating', message: 'NodeClass is Terminating' };
  }
  const ready = conditionOf(nodeClass.status?.conditions, 'Ready');
  if (ready === undefined || ready.status === 'Unknown') {
    return { type, status: 'False', reason: 'NodeClassReadinessUnknown', message: 'Node Class Readiness Unknown' };
  }
  if (ready.status === 'True') return { type, status: 'True' };
  return { type, status: 'False', reason: ready.reason ?? 'NodeClassNotReady', message: ready.message ?? '' };
};
