import { aStoryPool } from '../stories/story-objects.ts';
import { startWorld } from '../stories/world.ts';
import { describeCloudProvider } from './describe-cloud-provider.ts';

/** Lets the fake clock run while a call is under way. */
const STEP_MS = 500;
const nodeClass = { apiVersion: 'karpenter.simulated.test/v1', kind: 'SimulatedNodeClass' };

describeCloudProvider(
  'simulated',
  async () => {
    const world = await startWorld();
    const { local } = world.api;
    local.create({ ...nodeClass, metadata: { name: 'default' } });
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
      withhold: (purchase) => void world.cloud.faults.add({ ...purchase, fault: { kind: 'insufficient-capacity' } }),
      outdate: () => {
        local.patch(nodeClass, { name: 'default' }, { type: 'merge', body: { spec: { image: 'v2' } } });
        return Promise.resolve();
      },
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    };
  },
  {
    R28: 'its machines go without being announced',
    R29: 'its nodes need nothing beside what Kubernetes asks for',
    R30: 'it keeps nothing for anybody',
  },
);
