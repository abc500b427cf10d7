import type { ClusterSnapshot, InstanceType, NodePool, PlannedNode, Pod } from '@karpenter/core';
import { overfullResource, plus, reservedAmounts } from './amounts.ts';
import type { FloatAmounts } from './amounts.ts';
import { daemonPodsOn, daemonsOn } from './daemons.ts';
import { withoutDevices } from './devices/extended-claims.ts';
import { contestedPort } from './host-ports.ts';
import { launchableNodes, poolLabels } from './launchable-node.ts';
import type { LaunchableNode } from './launchable-node.ts';
import { meetsExpression, meetsNodeLabels } from './node-labels.ts';
import { bearsTaints } from './taints.ts';
import type { Violation } from './violation.ts';
import { overfullDriver, reachesVolumes } from './volumes.ts';

interface Subject {
  readonly planned: PlannedNode;
  readonly name: string;
  readonly pool: NodePool;
  readonly snapshot: ClusterSnapshot;
}

/** Pods that could be kept off a machine by its labels at all. */
const isChoosy = ({ spec }: Pod): boolean =>
  spec.nodeSelector !== undefined || spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution !== undefined;

const usesVolumes = ({ spec }: Pod): boolean => (spec.volumes?.length ?? 0) > 0;
const usesPorts = ({ spec }: Pod): boolean => [...spec.containers, ...(spec.initContainers ?? [])].some(({ ports }) => ports !== undefined);

/** What is read of the pods once for all machines. */
interface Needs {
  readonly amounts: FloatAmounts;
  readonly choosy: readonly Pod[];
  readonly withVolumes: readonly Pod[];
  readonly havePorts: boolean;
}

/** Ports and volumes: with the daemon pods of this machine, within its limits, and from its zone. */
const checkHoldings = (
  { type, labels }: LaunchableNode,
  { planned, name, pool, snapshot }: Subject,
  { havePorts, withVolumes }: Needs,
): readonly Violation[] => {
  const found: Violation[] = [];
  const { taints = [] } = pool.spec.template.spec;
  const specs = planned.pods.map(({ spec }) => spec);
  const port = havePorts ? contestedPort(specs, daemonPodsOn(snapshot, labels, taints)) : undefined;
  if (port !== undefined) found.push({ rule: 'host-ports', subject: name, detail: `${port} is wanted twice on ${type.name}` });
  const driver = overfullDriver({ coming: withVolumes, there: [], limits: type.volumeLimits ?? {} }, snapshot.storage);
  if (driver !== undefined) found.push({ rule: 'volumes', subject: name, detail: `${driver} attaches too many to ${type.name}` });
  for (const pod of withVolumes) {
    if (!reachesVolumes(pod, labels, snapshot.storage)) {
      found.push({ rule: 'volumes', subject: pod.metadata.name, detail: `cannot reach its volumes from ${type.name}` });
    }
  }
  return found;
};

const checkMachine = (
  { type, offering, labels, available }: LaunchableNode,
  { name, pool, snapshot }: Subject,
  { amounts, choosy }: Needs,
): readonly Violation[] => {
  const { taints = [], requirements } = pool.spec.template.spec;
  const machine = `${type.name} in ${offering.zone} as ${offering.capacityType}`;
  const found: Violation[] = [];
  const all = withoutDevices(plus(amounts, daemonsOn(snapshot, labels, taints)), type.capacity, snapshot);
  const short = overfullResource(all, available);
  if (short !== undefined) found.push({ rule: 'resources', subject: name, detail: `${short} does not fit on ${machine}` });
  for (const pod of choosy) {
    if (!meetsNodeLabels(pod.spec, labels))
      found.push({ rule: 'node-labels', subject: pod.metadata.name, detail: `is kept off ${machine}` });
  }
  const own = { ...labels, ...poolLabels(pool) };
  const broken = requirements.find((requirement) => !meetsExpression(requirement, own));
  if (broken !== undefined) found.push({ rule: 'node-labels', subject: name, detail: `${machine} breaks the pool's ${broken.key}` });
  return found;
};

const checkPrice = ({ planned, name }: Subject, machines: readonly LaunchableNode[]): readonly Violation[] => {
  const found: Violation[] = [];
  const leastPrices = new Map<InstanceType, number>();
  for (const { type, offering } of machines)
    leastPrices.set(type, Math.min(leastPrices.get(type) ?? Number.POSITIVE_INFINITY, offering.pricePerHour));
  const prices = planned.instanceTypes.map((type) => leastPrices.get(type) ?? Number.POSITIVE_INFINITY);
  if (prices.includes(Number.POSITIVE_INFINITY)) {
    found.push({ rule: 'offering', subject: name, detail: 'names an instance type without an available offering that the claim allows' });
  }
  if (prices.some((price, index) => index > 0 && price < (prices[index - 1] ?? 0))) {
    found.push({ rule: 'cheapest-first', subject: name, detail: 'lists a cheaper instance type after a dearer one' });
  }
  const cheapest = Math.min(...prices);
  if (planned.cheapest.offering.pricePerHour !== cheapest) {
    found.push({ rule: 'price', subject: name, detail: `says ${planned.cheapest.offering.pricePerHour}, the cheapest is ${cheapest}` });
  }
  return found;
};

/** Every rule about one planned node, for every machine that it may turn out to be. */
export const validatePlannedNode = (subject: Subject): readonly Violation[] => {
  const { planned, name, pool } = subject;
  const machines = launchableNodes(planned);
  const needs = {
    amounts: planned.pods.map((pod) => reservedAmounts(pod)).reduce(plus, new Map<string, number>()),
    choosy: planned.pods.filter(isChoosy),
    withVolumes: planned.pods.filter(usesVolumes),
    havePorts: planned.pods.some(usesPorts),
  };
  const intolerant = planned.pods.filter(({ spec }) => !bearsTaints(pool.spec.template.spec.taints ?? [], spec.tolerations));
  return [
    ...(planned.instanceTypes.length === 0 ? [{ rule: 'offering' as const, subject: name, detail: 'names no instance type' }] : []),
    ...(planned.pods.length === 0 ? [{ rule: 'known-place' as const, subject: name, detail: 'is for no pod' }] : []),
    ...intolerant.map(({ metadata }): Violation => ({
      rule: 'taints',
      subject: metadata.name,
      detail: `does not bear the taints of ${pool.metadata.name}`,
    })),
    ...machines.flatMap((machine) => [...checkMachine(machine, subject, needs), ...checkHoldings(machine, subject, needs)]),
    ...checkPrice(subject, machines),
  ];
};
