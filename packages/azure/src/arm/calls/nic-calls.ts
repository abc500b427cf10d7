import type { ArmApi } from '../arm-api.ts';
import type { CallContext } from './call-context.ts';
import { listStates } from './list-states.ts';
import { failureOf, type Poller, unexplainedFailure } from './poller.ts';
import { type ProvisioningState, statePoller } from './state-poller.ts';

type NicCalls = Pick<ArmApi, 'getNic' | 'putNic' | 'tagNic' | 'deleteNic'>;

/** An interface takes a second or two. */
const PACE = { firstMs: 2000, everyMs: 1000 };

const UNDER_WAY: ReadonlySet<ProvisioningState> = new Set(['Creating', 'Updating']);

/** Calls about network interfaces; all that wait for one share a poller. */
export const nicCalls = ({ clients, scope, clock, call, find }: CallContext): NicCalls => {
  const nics = clients.network.networkInterfaces;
  const group = scope.nodeResourceGroup;
  const getNic: NicCalls['getNic'] = (name, abortSignal) => find(() => nics.get(group, name, { abortSignal }));
  const poller = statePoller(
    {
      list: (abortSignal) => call(() => listStates(nics.list(group, { abortSignal }))),
      get: async (name, signal) => (await getNic(name, signal))?.provisioningState,
    },
    PACE,
    clock,
  );
  return {
    getNic,
    putNic: (name, body, signal) =>
      call(async () => {
        const creation: Poller = nics.createOrUpdate(group, name, body, { abortSignal: signal });
        await creation.submitted();
        if (creation.isDone) return;
        const state = await poller.until(name, (now) => !UNDER_WAY.has(now), signal);
        if (state !== 'Succeeded')
          throw (await failureOf(creation, clock.now(), signal)) ?? unexplainedFailure(`network interface ${name}`);
      }),
    tagNic: async (name, tags, abortSignal) => {
      await find(() => nics.updateTags(group, name, { tags: { ...tags } }, { abortSignal }));
    },
    deleteNic: async (name, abortSignal) => {
      await find(() => nics.delete(group, name, { abortSignal }).submitted());
    },
  };
};
