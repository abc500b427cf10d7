import type { Clock } from '@karpenter/runtime';
import { BUILT_IN_RESOURCES } from '../resources/built-in-resources.ts';
import type { Resource } from '../resources/resource.ts';
import type { AdmissionContext } from '../resources/strategy.ts';
import { createStore, type Store } from '../store/store.ts';
import { createRegistry, type Registry } from './registry.ts';
import { seededRandom } from './seeded-random.ts';

/** What every verb works on: one cluster's store, resources, time and luck. */
export interface Engine extends AdmissionContext {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: () => number;
  /** Serves a resource. */
  readonly serve: (resource: Resource) => void;
}

/** How an engine is made. */
export interface EngineOptions {
  readonly clock: Clock;
  readonly historySize: number;
  readonly seed: number;
}

const INDEXED: Readonly<Record<string, readonly string[]>> = {
  pods: ['spec.nodeName'],
  events: ['involvedObject.uid', 'involvedObject.name'],
};

/** An engine that serves the built-in resources and holds no objects. */
export const createEngine = ({ clock, historySize, seed }: EngineOptions): Engine => {
  const store = createStore(historySize);
  const registry = createRegistry();
  let addresses = 0;
  const serve = (resource: Resource): void => {
    const indexed = INDEXED[resource.storage] ?? [];
    store.open(resource.storage, Object.fromEntries(Object.entries(resource.selectable).filter(([field]) => indexed.includes(field))));
    registry.add(resource);
  };
  BUILT_IN_RESOURCES.forEach(serve);
  return {
    store,
    registry,
    clock,
    random: seededRandom(seed),
    serve,
    get nowMs() {
      return clock.now();
    },
    list: (storage) => store.table(storage).ordered(),
    get: (storage, key) => store.table(storage).get(key),
    nextServiceIp: () => {
      addresses += 1;
      return `10.0.${(addresses >> 8) & 255}.${addresses & 255}`;
    },
  };
};
