import type { ArmApi } from '../arm-api.ts';
import type { ArmError } from '../arm-error.ts';
import type { CallContext } from './call-context.ts';
import { failureOf, type Poller, unexplainedFailure } from './poller.ts';
import { type ProvisioningState, type StateSource, statePoller } from './state-poller.ts';

type ExtensionCalls = Pick<ArmApi, 'putExtension' | 'extensionDone' | 'extensionState' | 'getExtension' | 'tagExtension'>;

/** A script that makes a node takes a minute. */
const PACE = { firstMs: 10_000, everyMs: 5_000 };

const UNDER_WAY: ReadonlySet<ProvisioningState> = new Set(['Creating', 'Updating', 'Transitioning']);
const FAILED: ReadonlySet<ProvisioningState> = new Set(['Failed', 'Canceled']);

/** An extension among those of all machines. */
const keyOf = (vm: string, extension: string): string => `${vm}/${extension}`.toLowerCase();

/** Machines are listed with no more than the ids of their extensions: each is read by itself. */
const extensionStates = ({ clients, scope, find }: CallContext): StateSource => ({
  get: async (key, abortSignal) => {
    const [vm = '', name = ''] = key.split('/');
    const found = await find(() => clients.compute.virtualMachineExtensions.get(scope.nodeResourceGroup, vm, name, { abortSignal }));
    return found?.provisioningState;
  },
});

/** Calls about extensions of virtual machines; all that wait for one share a poller. */
export const extensionCalls = (context: CallContext): ExtensionCalls => {
  const { clients, scope, clock, call, find } = context;
  const extensions = clients.compute.virtualMachineExtensions;
  const group = scope.nodeResourceGroup;
  const states = extensionStates(context);
  const poller = statePoller(states, PACE, clock);
  /** Extension → its creation, for the reason of a failure. */
  const creations = new Map<string, Poller>();
  const reasonOf = async (key: string, signal: AbortSignal): Promise<ArmError> => {
    const creation = creations.get(key);
    return (creation && (await failureOf(creation, clock.now(), signal))) ?? unexplainedFailure(`extension ${key}`);
  };
  return {
    putExtension: (vm, { name, body }, abortSignal) =>
      call(async () => {
        const creation: Poller = extensions.createOrUpdate(group, vm, name, body, { abortSignal });
        await creation.submitted();
        // Nobody asks how that without a script came out.
        if (body.protectedSettings !== undefined) creations.set(keyOf(vm, name), creation);
      }),
    extensionDone: async (vm, name, signal) => {
      const key = keyOf(vm, name);
      try {
        const state = await poller.until(key, (now) => !UNDER_WAY.has(now), signal);
        if (FAILED.has(state)) throw await reasonOf(key, signal);
        return state !== undefined;
      } finally {
        creations.delete(key);
      }
    },
    extensionState: (vm, name, signal) => states.get(keyOf(vm, name), signal),
    getExtension: (vm, name, abortSignal) => find(() => extensions.get(group, vm, name, { abortSignal })),
    tagExtension: async (vm, { name, tags }, abortSignal) => {
      const tagged = await find(async () => {
        const change: Poller = extensions.update(group, vm, name, { tags: { ...tags } }, { abortSignal });
        await change.submitted();
        return { change };
      });
      if (tagged === undefined) return;
      const key = keyOf(vm, name);
      const state = await poller.until(key, (now) => !UNDER_WAY.has(now), abortSignal);
      if (FAILED.has(state)) throw (await failureOf(tagged.change, clock.now(), abortSignal)) ?? unexplainedFailure(`extension ${key}`);
    },
  };
};
