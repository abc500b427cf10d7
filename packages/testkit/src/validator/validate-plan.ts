import type { ClusterSnapshot, Plan, Pod, SchedulingPolicy } from '@karpenter/core';
import type { NodeView } from '@karpenter/core/internal';
import { asScheduled } from './as-scheduled.ts';
import { floatAmountsOf, overfullResource, plus, reservedAmounts } from './amounts.ts';
import { contestedPort } from './host-ports.ts';
import { withoutDevices } from './devices/extended-claims.ts';
import { validateDevices } from './devices/validate-devices.ts';
import { meetsNodeLabels } from './node-labels.ts';
import { replayTopology } from './replay-topology.ts';
import { bearsTaints } from './taints.ts';
import { validatePlannedNode } from './validate-planned-node.ts';
import { validatePools } from './validate-pools.ts';
import { validatePodGroups } from './validate-pod-groups.ts';
import { validateReservations } from './validate-reservations.ts';
import { validateSharedVolumes } from './shared-volumes.ts';
import type { Violation } from './violation.ts';
import { withoutUnreadable } from './without-unreadable.ts';
import { contestedClaim, overfullDriver, reachesVolumes } from './volumes.ts';

const nameOf = ({ metadata }: Pod): string => `${metadata.namespace ?? ''}/${metadata.name}`;

/** Every pending pod has one answer, and no pod has two. */
const checkPods = (snapshot: ClusterSnapshot, plan: Plan): readonly Violation[] => {
  const answers = new Map<string, number>();
  const answered = [
    ...plan.plannedNodes.flatMap(({ pods }) => pods),
    ...[...plan.placements.values()].flat(),
    ...plan.rejections.map(({ pod }) => pod),
  ];
  for (const pod of answered) answers.set(nameOf(pod), (answers.get(nameOf(pod)) ?? 0) + 1);
  const expected = snapshot.pendingPods.map(nameOf);
  return [...new Set([...expected, ...answers.keys()])]
    .filter((name) => answers.get(name) !== 1)
    .map((name) => ({ rule: 'each-pod-once', subject: name, detail: `has ${answers.get(name) ?? 0} answers` }));
};

const checkExistingNode = (node: NodeView, pods: readonly Pod[], snapshot: ClusterSnapshot): readonly Violation[] => {
  const { storage } = snapshot;
  const port = contestedPort(
    pods.map(({ spec }) => spec),
    node.pods.map(({ spec }) => spec),
  );
  const driver = overfullDriver({ coming: pods, there: node.pods, limits: node.volumeLimits ?? {} }, storage);
  const used = [...node.pods, ...pods].map((pod) => reservedAmounts(pod)).reduce(plus, new Map<string, number>());
  const short = overfullResource(withoutDevices(used, node.allocatable, snapshot), floatAmountsOf(node.allocatable));
  const refused = (pod: Pod): Violation['rule'] | undefined => {
    if (!bearsTaints(node.taints, pod.spec.tolerations)) return 'taints';
    if (!reachesVolumes(pod, node.labels, storage)) return 'volumes';
    return meetsNodeLabels(pod.spec, node.labels) ? undefined : 'node-labels';
  };
  return [
    ...(port === undefined ? [] : [{ rule: 'host-ports' as const, subject: node.name, detail: `${port} is wanted twice` }]),
    ...(driver === undefined ? [] : [{ rule: 'volumes' as const, subject: node.name, detail: `${driver} attaches too many` }]),
    ...(short === undefined ? [] : [{ rule: 'resources' as const, subject: node.name, detail: `${short} does not fit` }]),
    ...pods.flatMap((pod) => {
      const rule = refused(pod);
      return rule === undefined ? [] : [{ rule, subject: nameOf(pod), detail: `is kept off ${node.name}` }];
    }),
  ];
};

/** A volume for one pod only has one, wherever its pods are. */
const checkClaims = (snapshot: ClusterSnapshot, plan: Plan, nodes: ReadonlyMap<string, NodeView>): readonly Violation[] => {
  const placed = [...plan.plannedNodes.flatMap(({ pods }) => pods), ...[...plan.placements.values()].flat()];
  if (placed.every(({ spec }) => spec.volumes === undefined)) return [];
  const running = [...nodes.values()].flatMap(({ pods }) => pods);
  const claim = contestedClaim(placed, running, snapshot.storage);
  return claim === undefined ? [] : [{ rule: 'volumes', subject: claim, detail: 'is for one pod only, and two would use it' }];
};

/** Rules about what can be read. */
const validateSound = (snapshot: ClusterSnapshot, policy: SchedulingPolicy, plan: Plan): readonly Violation[] => {
  const gone = policy.without ?? new Set<string>();
  const nodes = new Map(
    snapshot.nodes.filter(({ name, isMarkedForDeletion }) => !isMarkedForDeletion && !gone.has(name)).map((node) => [node.name, node]),
  );
  const pools = new Map(
    snapshot.nodePools.filter(({ mayLaunch }) => mayLaunch !== false).map(({ nodePool }) => [nodePool.metadata.name, nodePool]),
  );
  const total = plan.plannedNodes.reduce((sum, { cheapest }) => sum + cheapest.offering.pricePerHour, 0);
  return [
    ...[...plan.placements].flatMap(([name, pods]): readonly Violation[] => {
      const node = nodes.get(name);
      return node === undefined
        ? [{ rule: 'known-place', subject: name, detail: 'is no node that stays' }]
        : checkExistingNode(node, pods, snapshot);
    }),
    ...plan.plannedNodes.flatMap((planned, index): readonly Violation[] => {
      const pool = pools.get(planned.nodePoolName);
      const name = `planned node ${index}`;
      if (pool === undefined)
        return [{ rule: 'known-place', subject: name, detail: `${planned.nodePoolName} is no NodePool that may launch` }];
      return validatePlannedNode({ planned, name, pool, snapshot });
    }),
    ...checkClaims(snapshot, plan, nodes),
    ...validateSharedVolumes(snapshot, plan),
    ...validateDevices(snapshot, plan, gone),
    ...replayTopology(...asScheduled(snapshot, plan, policy), gone),
    ...validatePodGroups(snapshot, plan),
    ...validatePools(snapshot, plan, { gone, isStrict: policy.minValues === 'Strict' }),
    ...validateReservations(snapshot, plan, policy),
    ...(Math.abs(total - plan.pricePerHour) > 1e-6 * total + 1e-9
      ? [{ rule: 'price' as const, subject: 'plan', detail: `says ${plan.pricePerHour}, adds up to ${total}` }]
      : []),
  ];
};

/**
 * Every rule that a plan breaks; none for a sound plan. A slow and plain reading of the Kubernetes rules that shares no
 * code with the solver, so that it can be believed. A pod that cannot be read is named where it was placed; where it
 * runs it is not checked.
 */
export const validatePlan = (snapshot: ClusterSnapshot, policy: SchedulingPolicy, plan: Plan): readonly Violation[] => {
  const { readable, violations } = withoutUnreadable(snapshot, plan);
  return [...checkPods(snapshot, plan), ...violations, ...validateSound(readable.snapshot, policy, readable.plan)];
};
