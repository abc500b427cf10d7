import type { Clock } from '@karpenter/runtime';
import type { LocalApi } from '../public/index.ts';
import { createEngine } from '../engine/engine.ts';
import { createFirstObjects } from '../engine/first-objects.ts';
import { createLocalApi } from '../local/create-local-api.ts';

/** An API server without its HTTP side. */
export const startLocalApi = (clock: Clock): LocalApi => {
  const engine = createEngine({ clock, historySize: 1_000, seed: 1 });
  createFirstObjects(engine);
  return createLocalApi(engine);
};
