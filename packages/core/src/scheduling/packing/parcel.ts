import { memoByObject } from '../../base/index.ts';
import type { PodClass } from '../classes/pod-class.ts';
import type { EqualRungs } from '../classes/rung.ts';
import type { Draft, Run } from '../places/drafts/draft.ts';
import type { Checks } from '../topology/checks.ts';
import { needsOn } from '../places/existing/shared-volumes.ts';
import type { Group } from '../topology/group.ts';
import { hostRulesOf } from './host-rules.ts';
import type { HostRules } from './host-rules.ts';

/** Pods of one class to pack again, on any of the rungs that suit them as well as the one they were placed by. */
export interface Parcel {
  readonly podClass: PodClass;
  readonly rungs: EqualRungs;
  /** What of the topology was checked when they were placed, and holds wherever they go. */
  readonly checks?: Checks | undefined;
  readonly count: number;
  /**
   * The resources that a pod requests, and the amount of each. One beyond those of the template is the seat of a node.
   * A volume that pods share is counted for each of them. That is more than they take on one node, so a packing that
   * counts it always fits.
   */
  readonly resourceIds: Int32Array;
  readonly amounts: Float64Array;
  readonly host: HostRules | undefined;
}

/** How pods were placed, which they are packed by again. */
type Placing = Pick<Parcel, 'rungs' | 'checks'>;

const isSameSet = (a: EqualRungs, b: EqualRungs): boolean => a === b || (a.length === 1 && b.length === 1 && a[0] === b[0]);

/** The rungs of a parcel as a key. */
export const rungsText = ({ rungs }: Parcel): string => rungs.map(({ text }) => text).join('\n\n');

const parcelOf = (podClass: PodClass, { rungs, checks }: Placing, count: number): Parcel => {
  const { resourceIds, amounts } = needsOn(podClass, () => false);
  const host = podClass.topology && checks && hostRulesOf(podClass.topology, checks);
  return { podClass, rungs, checks, count, resourceIds, amounts, host };
};

/** How many pods of a class were placed in one way. */
interface PlacedPods {
  readonly placing: Placing;
  count: number;
}

const addPlaced = (ofClass: PlacedPods[], rungs: EqualRungs, { checks, count }: Run): void => {
  for (const known of ofClass) {
    if (known.placing.checks !== checks || !isSameSet(known.placing.rungs, rungs)) continue;
    known.count += count;
    return;
  }
  ofClass.push({ placing: { rungs, checks }, count });
};

/** Everything on the nodes, equal pods together, in the order in which they were placed first. */
export const parcelsOf = (drafts: readonly Draft[]): readonly Parcel[] => {
  const byClass = new Map<PodClass, PlacedPods[]>();
  for (const { runs } of drafts) {
    for (const run of runs) {
      const { podClass, rung } = run;
      let ofClass = byClass.get(podClass);
      if (ofClass === undefined) byClass.set(podClass, (ofClass = []));
      addPlaced(ofClass, podClass.equalRungs.get(rung) ?? [rung], run);
    }
  }
  return [...byClass].flatMap(([podClass, ofClass]) => ofClass.map(({ placing, count }) => parcelOf(podClass, placing, count)));
};

const noGroups: ReadonlySet<Group> = new Set();

/** Remembered: asked for each pair of parcels. */
const loneGroupsIn = memoByObject((host: HostRules): ReadonlySet<Group> => {
  const spreads = host.spreads.filter(({ maxSkew }) => maxSkew === 1).map(({ group }) => group);
  return new Set([...host.antiAffinity, ...spreads].filter((group) => host.countedBy.includes(group)));
});

/** Groups that keep the pods of a parcel off each other. */
const loneGroupsOf = ({ host }: Parcel): ReadonlySet<Group> => (host === undefined ? noGroups : loneGroupsIn(host));

/** Whether no two of these pods may share a node and none has a choice of rungs. Then packing them again changes nothing. */
export const areApart = (parcels: readonly Parcel[]): boolean => {
  const [first, ...others] = parcels;
  if (first === undefined || parcels.some(({ rungs }) => rungs.length > 1)) return false;
  return [...loneGroupsOf(first)].some((group) => others.every((parcel) => loneGroupsOf(parcel).has(group)));
};

/** The group with the most pods that each want a node without the others; undefined when there is none. */
const loneliest = (parcels: readonly Parcel[]): Group | undefined => {
  const pods = new Map<Group, number>();
  for (const parcel of parcels) for (const group of loneGroupsOf(parcel)) pods.set(group, (pods.get(group) ?? 0) + parcel.count);
  return [...pods].reduce<readonly [Group, number] | undefined>(
    (most, each) => (most === undefined || each[1] > most[1] ? each : most),
    undefined,
  )?.[0];
};

/**
 * The parcels with one more resource, `seat`. Each node has one, and each pod of the largest group whose pods share no
 * node wants one. It gets a price like any other resource, so that nodes are bought in the size at which there are
 * enough of them.
 */
export const seated = (parcels: readonly Parcel[], seat: number): readonly Parcel[] => {
  const group = loneliest(parcels);
  if (group === undefined) return parcels;
  return parcels.map((parcel) =>
    loneGroupsOf(parcel).has(group)
      ? { ...parcel, resourceIds: Int32Array.of(...parcel.resourceIds, seat), amounts: Float64Array.of(...parcel.amounts, 1) }
      : parcel,
  );
};

/** Resource → what parcels want together. */
export const totalsOf = (parcels: readonly Parcel[], counts: Float64Array, resourceCount: number): Float64Array => {
  const totals = new Float64Array(resourceCount);
  parcels.forEach(({ resourceIds, amounts }, index) => {
    for (let i = 0; i < resourceIds.length; i++) {
      const resource = resourceIds[i] ?? 0;
      totals[resource] = (totals[resource] ?? 0) + (amounts[i] ?? 0) * (counts[index] ?? 0);
    }
  });
  return totals;
};
