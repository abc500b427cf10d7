import { aStoryPool } from '../stories/story-objects.ts';
import { startWorld } from '../stories/world.ts';
import { describeCloudProvider } from './describe-cloud-provider.ts';

/** Lets the fake clock run while a call is under way. */
const STEP_MS = 500;

describeCloudProvider('simulated', async () => {
  const world = await startWorld();
  world.api.local.create({ apiVersion: 'karpenter.simulated.test/v1', kind: 'SimulatedNodeClass', metadata: { name: 'default' } });
  await world.clock.advance(STEP_MS);
  return {
    provider: world.cloud,
    nodePool: aStoryPool(),
    run: async (call) => {
      let isOver = false;
      const running = call().finally(() => (isOver = true));
      // Whoever awaits `running` sees its failure; this line only keeps it from being nobody's while the clock moves.
      running.catch(() => undefined);
      await world.clock.advance(STEP_MS);
      while (!isOver) await world.clock.advance(STEP_MS);
      return running;
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
});
