import type { ClusterSnapshot, Taint } from '@karpenter/core';
import { namespaceOf, namespacedNameOf } from '@karpenter/core/internal';
import type { DaemonSet, NodeView, PodSpec, ResourceClaimSpec } from '@karpenter/core/internal';
import { DeviceSearch } from '@karpenter/simulator';
import type { DeviceTask, TakenDevices } from '@karpenter/simulator';
import { daemonPodsOn } from '../daemons.ts';
import { extendedClaimOn } from './extended-claims.ts';
import type { Provided } from './extended-claims.ts';
import { ownDevices, reachedBy } from './reachable-devices.ts';
import type { DeviceMachine } from './reachable-devices.ts';

/** A machine, and the daemons that come to it. `node`: it exists, and some may run there already. */
export interface DaemonMachine extends DeviceMachine {
  readonly taints: readonly Taint[];
  readonly provided: Provided;
  readonly node?: NodeView | undefined;
}

const MOST_STEPS = 20_000;

const nameOf = ({ metadata }: DaemonSet): string => namespacedNameOf(metadata);

const runsOn = ({ metadata }: DaemonSet, { node }: DaemonMachine): boolean =>
  node?.pods.some((pod) =>
    pod.metadata.ownerReferences?.some(
      ({ kind, name, uid }) => kind === 'DaemonSet' && (metadata.uid === undefined ? name === metadata.name : uid === metadata.uid),
    ),
  ) === true;

type NamedSpec = readonly [key: string, spec: ResourceClaimSpec];

/** The pod of the DaemonSet that is still to come to the machine; undefined where it has one, or none comes. */
const comingPod = (daemonSet: DaemonSet, machine: DaemonMachine, { nodes }: ClusterSnapshot): PodSpec | undefined =>
  runsOn(daemonSet, machine) ? undefined : daemonPodsOn({ daemonSets: [daemonSet], nodes }, machine.labels, machine.taints)[0];

/**
 * The claims that each pod of the DaemonSet has for itself, where it comes to the machine; undefined where one cannot
 * be made.
 */
const ownClaims = (daemonSet: DaemonSet, machine: DaemonMachine, snapshot: ClusterSnapshot): readonly NamedSpec[] | undefined => {
  const spec = comingPod(daemonSet, machine, snapshot);
  if (spec === undefined) return [];
  const namespace = namespaceOf(daemonSet);
  const claims: NamedSpec[] = [];
  for (const { name, resourceClaimTemplateName } of spec.resourceClaims ?? []) {
    if (resourceClaimTemplateName === undefined) continue;
    const template = snapshot.devices?.templates.get(`${namespace}/${resourceClaimTemplateName}`);
    if (template === undefined) return undefined;
    claims.push([`${machine.name} ${nameOf(daemonSet)} ${name}`, template.spec.spec]);
  }
  const extended = extendedClaimOn(spec, machine.provided, snapshot);
  return extended === undefined ? claims : [...claims, [`${machine.name} ${nameOf(daemonSet)}`, extended]];
};

/**
 * The claims of the daemons that come to the machine, one DaemonSet after another by name; those that cannot be met
 * beside the ones before them are left out. On a machine that does not exist yet they have its own devices alone.
 */
export const daemonTasks = (machine: DaemonMachine, snapshot: ClusterSnapshot, taken: TakenDevices): readonly DeviceTask[] => {
  const reached = machine.node === undefined ? ownDevices(machine) : reachedBy(machine, snapshot);
  const classes = snapshot.devices?.classes ?? new Map();
  let met: readonly DeviceTask[] = [];
  for (const daemonSet of [...snapshot.daemonSets].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1))) {
    const claims = ownClaims(daemonSet, machine, snapshot) ?? [];
    const tasks = [
      ...met,
      ...claims.map(([key, spec]): DeviceTask => ({ key, spec, ...reached, pod: `${machine.name} ${nameOf(daemonSet)}` })),
    ];
    if (claims.length > 0 && new DeviceSearch(classes, taken, MOST_STEPS).finds(tasks) === true) met = tasks;
  }
  return met;
};
