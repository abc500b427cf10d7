import type { Demand } from '../classes/demand.ts';
import type { PodClass } from '../classes/pod-class.ts';
import type { Draft } from '../places/drafts/draft.ts';
import type { Topology } from '../topology/topology.ts';
import { ledTo, withLabel } from './led-demand.ts';

/** The pods of one planned node, as the pod groups have them, and the others. */
const splitBy = ({ runs }: Draft, demands: readonly Demand[]): { readonly own: readonly Demand[]; readonly others: readonly Demand[] } => {
  const left = new Map<PodClass, number>();
  for (const { podClass, count } of runs) left.set(podClass, (left.get(podClass) ?? 0) + count);
  const own: Demand[] = [];
  const others: Demand[] = [];
  for (const demand of demands) {
    const wanted = left.get(demand.podClass) ?? 0;
    const [taken, rest] = [demand.pods.slice(0, wanted), demand.pods.slice(wanted)];
    left.set(demand.podClass, wanted - taken.length);
    if (taken.length > 0) own.push({ ...demand, pods: taken });
    if (rest.length > 0) others.push({ ...demand, pods: rest });
  }
  return { own, others };
};

/** The pods of a planned node before all others, after them, and before them in each domain. */
export function* nodeFirst(draft: Draft, demands: readonly Demand[], topology: Topology | undefined): Iterable<readonly Demand[]> {
  const { own, others } = splitBy(draft, demands);
  yield [...own, ...others];
  yield [...others, ...own];
  for (const [key, label] of topology?.domains.keys.entries() ?? []) {
    for (const value of topology?.valuesOf(key) ?? []) {
      const led = own.map((each) => ledTo(each, withLabel(label, value)));
      if (led.every(({ rungs }) => rungs.length > 0)) yield [...led, ...others];
    }
  }
}
