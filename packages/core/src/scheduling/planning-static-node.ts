import type { Steps } from '../base/index.ts';
import { daemonsOf } from '../cluster/index.ts';
import type { ClusterSnapshot, NodePoolView } from '../cluster/index.ts';
import { resourceTable } from './classes/resource-table.ts';
import { fitOf } from './places/fit.ts';
import { makingTemplatesOf } from './places/node-template.ts';
import type { PlannedNode } from './plan.ts';
import { nodePlanner } from './planned-node.ts';
import type { SchedulingPolicy } from './policy.ts';

/** Of ports and volumes nothing can be short where there is no pod. */
const noSlots = { names: [], ofType: () => ({}) };

/**
 * A machine of the pool for no pod in particular, as static pools want them: every instance type that the pool allows and that is for sale,
 * the cheapest first. Undefined when there is none.
 */
export function* planningStaticNode(
  pool: NodePoolView,
  { daemonSets }: Pick<ClusterSnapshot, 'daemonSets'>,
  policy: SchedulingPolicy,
): Steps<PlannedNode | undefined> {
  const resources = resourceTable(
    pool.instanceTypes.map(({ capacity }) => capacity),
    noSlots.names,
  );
  const daemons = daemonsOf(daemonSets, policy.labelCatalog);
  const templates = yield* makingTemplatesOf(pool, { policy, daemons, resources, slots: noSlots });
  const used = new Float64Array(resources.names.length);
  const drafts = templates.flatMap(({ initial, everyType: allowedTypes, reservation }) => {
    const fit = initial && fitOf(initial, used, allowedTypes);
    return fit === undefined ? [] : { isReserved: reservation !== undefined, draft: { fit, allowedTypes, used, runs: [], podCount: 0 } };
  });
  // Several machines may be made of one plan, and a reservation may have room for fewer: it is the choice where there is no other.
  const chosen = drafts.find(({ isReserved }) => !isReserved) ?? drafts[0];
  return chosen && nodePlanner(policy, resources.names, new Set())(chosen.draft, []);
}
