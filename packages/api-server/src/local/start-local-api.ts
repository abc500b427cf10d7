import type { Clock } from '@karpenter/runtime';
import type { LocalApi } from '../public/index.ts';
import { createEngine } from '../engine/engine.ts';
import { startDisruptionKeeper } from '../housekeeping/disruption-keeper.ts';
import { createFirstObjects } from '../housekeeping/first-objects.ts';
import { startGarbageCollector } from '../housekeeping/garbage-collector.ts';
import { startQuotaKeeper } from '../housekeeping/quota-keeper.ts';
import { createLocalApi } from '../local/create-local-api.ts';

/** An API server without its HTTP side. */
export const startLocalApi = (clock: Clock): LocalApi => {
  const engine = createEngine({ clock, historySize: 1_000, seed: 1 });
  startGarbageCollector(engine);
  startDisruptionKeeper(engine);
  startQuotaKeeper(engine);
  createFirstObjects(engine);
  return createLocalApi(engine);
};
