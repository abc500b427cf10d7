import type { Steps } from '../base/index.ts';
import { daemonsOf } from '../cluster/index.ts';
import type { ClusterSnapshot, NodePoolView } from '../cluster/index.ts';
import { resourceTable } from './classes/pod-class.ts';
import { fitOf } from './places/fit.ts';
import { allowedTypesOf, leanFit, sharedLimits } from './places/limits/limit-ledger.ts';
import type { NodeTemplate } from './places/node-model.ts';
import type { Draft } from './places/drafts/draft.ts';
import { makingTemplatesOf } from './places/node-template.ts';
import type { PlannedNode } from './plan.ts';
import { nodePlanner } from './planned-node.ts';
import type { SchedulingPolicy } from './policy.ts';

/** Of ports and volumes nothing can be short where there is no pod. */
const noSlots = { names: [], ofType: () => ({}) };

/**
 * A planned node of the template without pods. Where the cluster has limits, no larger than its cheapest type: several
 * may be made of one plan. Where the limits allow no type, they are checked again when the node is to be created, and
 * that is reported.
 */
const emptyDraft = (template: NodeTemplate, used: Float64Array): Draft | undefined => {
  const { initial, everyType } = template;
  const limits = sharedLimits(template, []);
  const allowedTypes = limits.length === 0 ? everyType : allowedTypesOf(template, limits);
  const fit = initial && (fitOf(initial, used, allowedTypes) ?? fitOf(initial, used, everyType));
  return fit && { fit: limits.length === 0 ? fit : leanFit(fit, 1), allowedTypes, used, runs: [], podCount: 0 };
};

/** The templates of a pool for nodes without pods, and the resources that they are planned by. */
export function* makingTemplatesWithoutPods(
  pool: NodePoolView,
  { daemonSets, clusterLimits }: Pick<ClusterSnapshot, 'daemonSets' | 'clusterLimits'>,
  policy: SchedulingPolicy,
): Steps<{ readonly templates: readonly NodeTemplate[]; readonly resourceNames: readonly string[] }> {
  const resources = resourceTable(
    pool.instanceTypes.map(({ capacity }) => capacity),
    noSlots.names,
  );
  const daemons = daemonsOf(daemonSets, policy.labelCatalog);
  const templates = yield* makingTemplatesOf(pool, { policy, daemons, resources, slots: noSlots, clusterLimits });
  return { templates, resourceNames: resources.names };
}

/**
 * A machine of the pool for no pod in particular, as static pools want them: every instance type that the pool allows
 * and that is for sale, the cheapest first. Undefined when there is none.
 */
export function* planningStaticNode(
  pool: NodePoolView,
  cluster: Pick<ClusterSnapshot, 'daemonSets' | 'clusterLimits'>,
  policy: SchedulingPolicy,
): Steps<PlannedNode | undefined> {
  const { templates, resourceNames } = yield* makingTemplatesWithoutPods(pool, cluster, policy);
  const used = new Float64Array(resourceNames.length);
  const drafts = templates.flatMap((template) => {
    const draft = emptyDraft(template, used);
    return draft === undefined ? [] : { isReserved: template.reservation !== undefined, draft };
  });
  // Several machines may be made of one plan, and a reservation may have room for fewer: it is the choice where there
  // is no other.
  const chosen = drafts.find(({ isReserved }) => !isReserved) ?? drafts[0];
  return chosen && nodePlanner(policy, resourceNames, new Set())(chosen.draft, []);
}
