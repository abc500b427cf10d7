import { daemonsOf, evictionLimits, reschedulablePods } from '../cluster/index.ts';
import type { ClusterSnapshot, NodeView } from '../cluster/index.ts';
import type { Pod } from '../kube/index.ts';
import { demandsOf } from './classes/demand.ts';
import { classReader } from './classes/class-reader.ts';
import { resourceTable } from './classes/resource-table.ts';
import { improve } from './packing/improve.ts';
import { ExistingNodes } from './places/existing-nodes.ts';
import { nodeTemplates } from './places/node-template.ts';
import { nodePlanner } from './planned-node.ts';
import { assemblePlan } from './assemble-plan.ts';
import type { Plan } from './plan.ts';
import type { SchedulingPolicy } from './policy.ts';
import type { Places } from './solve.ts';
import { solveWithinLimits } from './solve-within-limits.ts';

/**
 * A snapshot made ready for many questions. Making it costs a walk over the snapshot; asking costs what moves: the pending pods and those
 * of the nodes that are thought away.
 */
export interface WhatIf {
  /** The plan if these nodes were gone, beside those that are marked for deletion. The same as `simulate` with `policy.without`. */
  readonly ask: (without: ReadonlySet<string>, shouldStop?: () => boolean) => Plan;
}

const never = (): boolean => false;

/** Compiles a snapshot for `ask`. The policy's own `without` is not looked at: each question brings its own. */
export const createWhatIf = (snapshot: ClusterSnapshot, policy: SchedulingPolicy): WhatIf => {
  const daemons = daemonsOf(snapshot.daemonSets, policy.labelCatalog);
  const resources = resourceTable([
    ...new Set(snapshot.nodePools.flatMap(({ instanceTypes }) => instanceTypes.map(({ capacity }) => capacity))),
    ...snapshot.nodes.map(({ allocatable }) => allocatable),
  ]);
  const places: Places = {
    existing: new ExistingNodes(snapshot.nodes, { daemons, resources }),
    templates: nodeTemplates(snapshot.nodePools, { policy, daemons, resources }),
  };
  const classOf = classReader(snapshot, policy, resources);
  const limits = evictionLimits(snapshot.podDisruptionBudgets);
  const planNode = nodePlanner(policy, resources.names);
  const byName = new Map(snapshot.nodes.map((node) => [node.name, node]));
  const marked = snapshot.nodes.filter(({ isMarkedForDeletion }) => isMarkedForDeletion);

  const podsToPlace = (gone: readonly NodeView[]): readonly Pod[] => [
    ...snapshot.pendingPods,
    ...[...marked, ...gone].flatMap((node) => reschedulablePods(node, limits, policy.nowMs)),
  ];

  return {
    ask: (without, shouldStop = never) => {
      const gone = [...without].flatMap((name) => byName.get(name) ?? []).filter(({ isMarkedForDeletion }) => !isMarkedForDeletion);
      const demands = demandsOf(podsToPlace(gone), classOf);
      try {
        const { solution, question } = solveWithinLimits(places, { demands, gone, shouldStop, isFrugal: false });
        const drafts = policy.packing === 'cheapest' ? improve(solution, question) : solution.drafts;
        return assemblePlan({ demands, drafts, solution }, places.existing, planNode);
      } finally {
        places.existing.rollBack();
      }
    },
  };
};
