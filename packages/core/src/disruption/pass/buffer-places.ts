import type { BufferView } from '../../cluster/index.ts';
import type { Pod } from '../../kube/index.ts';
import { splitPlan, virtualPodsOf } from '../../scheduling/index.ts';
import type { Plan } from '../../scheduling/index.ts';

/** Where CapacityBuffers have their room while nothing is deleted. */
export interface BufferPlaces {
  /** Node name → the buffers that have room there, as `namespace/name`, in their order. */
  readonly hosts: ReadonlyMap<string, readonly string[]>;
  /** Virtual pods that need no new node: a move that takes their place has to replace it. */
  readonly settled: ReadonlySet<Pod>;
  readonly all: ReadonlySet<Pod>;
}

const NOWHERE: BufferPlaces = { hosts: new Map(), settled: new Set(), all: new Set() };

/** The places of buffers in the plan in which nothing is deleted; `baseline` undefined: there are no buffers. */
export const bufferPlacesIn = (buffers: readonly BufferView[], baseline: Plan | undefined): BufferPlaces => {
  if (baseline === undefined) return NOWHERE;
  const hosts = new Map<string, readonly string[]>();
  const settled = new Set<Pod>();
  for (const { view, onNodes } of splitPlan(baseline, buffers).buffers) {
    const { namespace = 'default', name } = view.buffer.metadata;
    for (const [nodeName, pods] of onNodes) {
      hosts.set(nodeName, [...(hosts.get(nodeName) ?? []), `${namespace}/${name}`]);
      for (const pod of pods) settled.add(pod);
    }
  }
  return { hosts, settled, all: virtualPodsOf(buffers) };
};
