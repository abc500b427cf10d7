import type { BinderPodClass } from '../pods/pod-class.ts';

/** A pod that waits for a node. */
export interface QueuedPod {
  readonly key: string;
  readonly priority: number;
  /** Order of arrival. */
  readonly arrival: number;
  readonly podClass: BinderPodClass;
}

/** Pods to try now, and pods that wait for something to change. */
export interface SchedulingQueue {
  readonly activeCount: number;
  put(pod: QueuedPod): void;
  remove(key: string): void;
  /** The pod as it was put. */
  find(key: string): QueuedPod | undefined;
  /** Puts a pod aside until it is woken. */
  park(pod: QueuedPod): void;
  /** Brings the parked pods that are meant back among the active ones. */
  wake(isMeant: (pod: QueuedPod) => boolean): void;
  /** Takes up to `count` active pods, highest priority first, then the longest waiting. */
  take(count: number): readonly QueuedPod[];
}

const before = (a: QueuedPod, b: QueuedPod): number => b.priority - a.priority || a.arrival - b.arrival;

export const createSchedulingQueue = (): SchedulingQueue => {
  const active = new Map<string, QueuedPod>();
  const parked = new Map<string, QueuedPod>();
  let sorted: QueuedPod[] | undefined;

  const activate = (pod: QueuedPod): void => {
    active.set(pod.key, pod);
    sorted = undefined;
  };
  return {
    get activeCount() {
      return active.size;
    },
    put: (pod) => {
      parked.delete(pod.key);
      activate(pod);
    },
    remove: (key) => {
      parked.delete(key);
      active.delete(key);
    },
    find: (key) => active.get(key) ?? parked.get(key),
    park: (pod) => void parked.set(pod.key, pod),
    wake: (isMeant) => {
      for (const pod of parked.values()) {
        if (!isMeant(pod)) continue;
        parked.delete(pod.key);
        activate(pod);
      }
    },
    take: (count) => {
      sorted ??= [...active.values()].sort(before).reverse();
      const taken: QueuedPod[] = [];
      while (taken.length < count) {
        const next = sorted.pop();
        if (next === undefined) break;
        if (active.get(next.key) !== next) continue;
        active.delete(next.key);
        taken.push(next);
      }
      return taken;
    },
  };
};
