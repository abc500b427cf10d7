import type { RepairPolicy } from '../../../cloudprovider/index.ts';
import { epochMsOf } from '../../../base/index.ts';
import { conditionOf } from '../../../kube/index.ts';
import type { Node } from '../../../kube/index.ts';

/** What a node suffers from, and from when on that is reason to give it up. */
export interface Ailment {
  readonly policy: RepairPolicy;
  readonly sinceMs: number;
  readonly dueMs: number;
}

/** The condition of the node that will be borne for the shortest time yet; undefined for a healthy node. */
export const ailmentOf = ({ status }: Node, policies: readonly RepairPolicy[]): Ailment | undefined => {
  const ailments = policies.flatMap((policy): readonly Ailment[] => {
    const condition = conditionOf(status?.conditions, policy.conditionType);
    const sinceMs = epochMsOf(condition?.lastTransitionTime);
    if (sinceMs === undefined || condition?.status !== policy.conditionStatus) return [];
    return [{ policy, sinceMs, dueMs: sinceMs + policy.tolerationMs }];
  });
  return ailments.reduce<Ailment | undefined>((first, each) => (first === undefined || each.dueMs < first.dueMs ? each : first), undefined);
};

/** Of every so many nodes one may be ill, and one more for the rest. */
const NODES_FOR_ONE = 5;

/**
 * Whether so many nodes are ill that the cause is hardly theirs: more than a fifth, rounded up. Then replacing them would only make it worse.
 * Source: the original's `pkg/controllers/node/health/controller.go`.
 */
export const areTooManyIll = (nodes: readonly Node[], policies: readonly RepairPolicy[]): boolean =>
  nodes.filter((node) => ailmentOf(node, policies) !== undefined).length > Math.ceil(nodes.length / NODES_FOR_ONE);
