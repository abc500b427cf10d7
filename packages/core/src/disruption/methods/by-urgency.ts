import { nodeClaimConditions } from '../../apis/index.ts';
import { compareText, epochMsOf } from '../../base/index.ts';
import { conditionOf } from '../../kube/index.ts';
import { isEmptyNode } from '../blockers/method-blocker.ts';
import type { Surveyed } from '../pass/survey.ts';

const driftedSince = ({ node }: Surveyed): number =>
  epochMsOf(conditionOf(node.claim?.status?.conditions, nodeClaimConditions.drifted)?.lastTransitionTime) ?? 0;

/** Empty nodes first, then those that drifted longest ago; ties by name. */
export const byUrgency = (a: Surveyed, b: Surveyed): number =>
  Number(isEmptyNode(b)) - Number(isEmptyNode(a)) || driftedSince(a) - driftedSince(b) || compareText(a.node.name, b.node.name);
