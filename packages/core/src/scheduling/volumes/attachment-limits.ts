import { labels } from '../../apis/index.ts';
import type { InstanceType } from '../../catalog/index.ts';
import type { ClusterSnapshot, NodeView } from '../../cluster/index.ts';

/** So many volumes no machine attaches: no limit is known. */
const UNLIMITED = 1_000_000;

/** How many volumes of a driver nodes and machines attach, as far as anybody has said. */
export interface AttachmentLimits {
  /** Drivers for which there is a limit somewhere. */
  readonly drivers: readonly string[];
  readonly ofNode: (node: NodeView, driver: string) => number;
  readonly ofType: (type: InstanceType, driver: string) => number;
}

/** Type name → driver → the least that a node of the type has stated. */
const inferredFrom = (nodes: readonly NodeView[]): ReadonlyMap<string, ReadonlyMap<string, number>> => {
  const inferred = new Map<string, Map<string, number>>();
  for (const { labels: own, volumeLimits } of nodes) {
    const name = own[labels.instanceType];
    if (name === undefined || volumeLimits === undefined) continue;
    const ofType = inferred.get(name) ?? new Map<string, number>();
    inferred.set(name, ofType);
    for (const [driver, limit] of Object.entries(volumeLimits)) ofType.set(driver, Math.min(limit, ofType.get(driver) ?? UNLIMITED));
  }
  return inferred;
};

/**
 * What a node's drivers say goes first, then what is stated for its instance type, then what other nodes of the type say.
 * Differs: the original knows limits only on nodes whose drivers have registered, and so overfills the nodes that it plans.
 */
export const attachmentLimits = ({ nodes, nodePools }: ClusterSnapshot): AttachmentLimits => {
  const inferred = inferredFrom(nodes);
  const stated = new Map<string, Record<string, number>>();
  for (const { name, volumeLimits = {} } of nodePools.flatMap(({ instanceTypes }) => instanceTypes)) {
    const ofType = stated.get(name) ?? {};
    stated.set(name, ofType);
    // Pools may be offered one type in several ways: the least holds for all of them.
    for (const [driver, limit] of Object.entries(volumeLimits)) ofType[driver] = Math.min(limit, ofType[driver] ?? limit);
  }
  const ofTypeNamed = (name: string, driver: string): number => stated.get(name)?.[driver] ?? inferred.get(name)?.get(driver) ?? UNLIMITED;
  const drivers = new Set([...stated.values()].flatMap((limits) => Object.keys(limits)));
  for (const { volumeLimits = {} } of nodes) for (const driver of Object.keys(volumeLimits)) drivers.add(driver);
  return {
    drivers: [...drivers].sort(),
    ofNode: ({ labels: own, volumeLimits }, driver) => volumeLimits?.[driver] ?? ofTypeNamed(own[labels.instanceType] ?? '', driver),
    ofType: ({ name, volumeLimits }, driver) => volumeLimits?.[driver] ?? ofTypeNamed(name, driver),
  };
};
