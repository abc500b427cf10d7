import type { TimerHandle } from '@karpenter/runtime';
import type { Engine } from '../engine/engine.ts';
import { asRecord, jsonEqual, type JsonObject, valueAt } from '../json/json.ts';
import { asJson, type StoredObject } from '../store/stored-object.ts';
import { quantityText, usedIn } from './quota-usage.ts';

const QUOTAS = 'resourcequotas';

const statusOf = (engine: Engine, quota: StoredObject): JsonObject => {
  const hard = asRecord(valueAt(quota, 'spec.hard'));
  const used = Object.keys(hard).map((name) => [name, quantityText(name, usedIn(engine, quota.metadata.namespace ?? '', name))]);
  return { hard, used: Object.fromEntries(used) as JsonObject };
};

/**
 * Keeps the status of resource quotas current, as the resource quota controller of a cluster does: once a turn of the
 * clock for each namespace.
 */
export const startQuotaKeeper = (engine: Engine): Disposable => {
  const limited = new Set<string>();
  const stale = new Set<string>();
  let timer: TimerHandle | undefined;
  const refresh = (): void => {
    timer = undefined;
    const quotas = [...stale].flatMap((namespace) => engine.store.table(QUOTAS).ordered(namespace));
    stale.clear();
    for (const quota of quotas) {
      const status = statusOf(engine, quota);
      if (!jsonEqual(asRecord(quota['status']), status)) engine.store.put(QUOTAS, { ...asJson(quota), status });
    }
  };
  const watch = engine.store.listen(undefined, ({ object }, storage) => {
    const { namespace } = object.metadata;
    if (namespace === undefined) return;
    if (storage === QUOTAS) limited.add(namespace);
    if (!limited.has(namespace)) return;
    stale.add(namespace);
    timer ??= engine.clock.setTimeout(refresh, 0);
  });
  return {
    [Symbol.dispose]: () => {
      watch[Symbol.dispose]();
      timer?.cancel();
    },
  };
};
