import { nodeClaimConditions } from '@karpenter/core';
import type { NodeClaim } from '@karpenter/core';
import type { NodeClass } from '@karpenter/core/provider-kit';
import { simulatedFailures, simulatedInPlaceUpdate } from '@karpenter/simulator';
import type { LaunchFault } from '@karpenter/simulator';
import { aStoryPool } from '../stories/story-objects.ts';
import { startWorld } from '../stories/world.ts';
import { describeCloudProvider } from './describe-cloud-provider.ts';

/** Lets the fake clock run while a call is under way. */
const STEP_MS = 500;
/** Longer than a machine takes to become a node. */
const BOOTED_MS = 60_000;
const nodeClass = { apiVersion: 'karpenter.simulated.test/v1', kind: 'SimulatedNodeClass' };

const { signal } = new AbortController();
const joined = {
  type: nodeClaimConditions.registered,
  status: 'True' as const,
  lastTransitionTime: '2026-06-01T00:00:00Z',
  reason: 'Registered',
  message: '',
};

interface Tagged {
  readonly spec?: { readonly tags?: Readonly<Record<string, string>> };
}

describeCloudProvider('simulated', async () => {
  const world = await startWorld([], { batch: { idleMs: 10, maxMs: 50 } });
  const { local } = world.api;
  const classNow = () => local.get<NodeClass & Tagged>({ kind: nodeClass.kind, apiVersion: nodeClass.apiVersion }, { name: 'default' });
  const befall = (fault: LaunchFault): void => void world.cloud.faults.add({ fault, times: 1 });
  local.create({ ...nodeClass, metadata: { name: 'default' } });
  await world.clock.advance(STEP_MS);
  return {
    provider: world.cloud,
    nodePool: aStoryPool(),
    run: async (call) => {
      let isOver = false;
      const running = call().finally(() => (isOver = true));
      // The caller that awaits `running` sees its failure. This line only marks it as handled while the clock moves.
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
    interruptedNode: { metadata: { name: 'general-1', annotations: { 'karpenter.sh/interruption': 'Preempt 2026-06-01T00:00:30Z' } } },
    cutOff: () => void world.cloud.outage(),
    launchCalls: () => world.cloud.launchCalls,
    launchesTogether: true,
    inPlace: {
      edit: () => {
        local.patch(nodeClass, { name: 'default' }, { type: 'merge', body: { spec: { tags: { team: 'search' } } } });
        return Promise.resolve();
      },
      update: async (claim) => {
        const created = local.create(claim);
        local.updateStatus({ ...created, status: { ...claim.status, conditions: [joined] } });
        const found = classNow();
        if (found !== undefined) await simulatedInPlaceUpdate(world.cloud, world.kube).reconcile(found, { signal });
      },
      isDone: ({ metadata: { name } }) => world.cloud.tagsOf(name)?.['team'] === classNow()?.spec?.tags?.['team'],
    },
    lateFailures: {
      put: (claim) => void local.create(claim),
      read: (name) => local.get<NodeClaim>({ kind: 'NodeClaim' }, { name }),
      fail: () => befall({ kind: 'failing', message: 'the image does not boot', laterMs: BOOTED_MS }),
      runOut: () => befall({ kind: 'insufficient-capacity', laterMs: BOOTED_MS }),
      settle: async () => {
        await world.clock.advance(BOOTED_MS);
        await simulatedFailures(world.cloud, world.kube).reconcile({ signal });
      },
      left: async () => (await world.cloud.list({ signal })).length,
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
});
