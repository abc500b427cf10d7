import type { ArmAccount } from './account.ts';
import { NO_BEHAVIOURS } from './behaviours.ts';
import type { TokenService } from './auth/token-service.ts';
import { ImageVersions } from './compute/images/image-versions.ts';
import { aksImages } from './data/aks-images.ts';
import type { IdSource } from './id-source.ts';
import { AsyncOperations } from './operations/async-operations.ts';
import { type ArmEmulatorOptions, DEFAULT_LATENCIES } from './options.ts';
import type { ArmWorld } from './world.ts';

/** A world without resources, its image galleries filled. */
export const worldFor = (
  ids: IdSource,
  options: ArmEmulatorOptions,
  at: { readonly account: ArmAccount; readonly tokens: TokenService; readonly url: string },
): ArmWorld => {
  const images = new ImageVersions();
  for (const image of aksImages) images.publish(image);
  return {
    clock: options.clock,
    ...at,
    behaviours: { ...NO_BEHAVIOURS, ...options.behaviours },
    startedMs: options.clock.now(),
    latencies: { ...DEFAULT_LATENCIES, ...options.latencies },
    ids,
    operations: new AsyncOperations(options.clock, ids),
    images,
    pollAfterSeconds: options.pollAfterSeconds ?? 1,
    pageSize: options.pageSize,
    spotScores: options.spotScores ?? {},
  };
};
