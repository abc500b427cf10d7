import type { VirtualMachine, VirtualMachineInstanceView } from '@azure/arm-compute';
import type { ArmApi } from '../arm-api.ts';
import { ArmError } from '../arm-error.ts';
import type { CallContext } from './call-context.ts';
import { listStates } from './list-states.ts';
import { failureOf, type Poller, unexplainedFailure } from './poller.ts';
import { type ProvisioningState, statePoller } from './state-poller.ts';

type VmCalls = Pick<ArmApi, 'getVm' | 'listVms' | 'putVm' | 'updateVm' | 'vmMade' | 'vmGone' | 'deleteVm'>;

/** A machine takes half a minute to come and a little less to go. */
const PACE = { firstMs: 10_000, everyMs: 5_000 };

const UNDER_WAY: ReadonlySet<ProvisioningState> = new Set(['Creating', 'Updating']);
const FAILED: ReadonlySet<ProvisioningState> = new Set(['Failed', 'Canceled']);
const FAILURE = /^ProvisioningState\/failed\/(\w+)$/i;

/** The instance view of a failed machine has the reason, also long after the operation. */
const failureIn = (view: VirtualMachineInstanceView): ArmError | undefined => {
  for (const { code, message } of view.statuses ?? []) {
    const armCode = FAILURE.exec(code ?? '')?.[1];
    if (armCode !== undefined) return new ArmError(`${armCode}: ${message ?? ''}`, { code: 'refused', armCode, cause: view });
  }
  return undefined;
};

/** Throws at what is no machine: a list without it would say that it is gone. */
const requireMachine = (vm: VirtualMachine | null): VirtualMachine => {
  if (typeof vm?.name !== 'string') throw new TypeError('a machine without a name');
  return vm;
};

type Followed = Pick<VmCalls, 'putVm' | 'updateVm' | 'vmMade' | 'vmGone'>;

/** Creation and end of machines; all that wait for one share a poller. */
const followedCalls = (context: CallContext, getVm: VmCalls['getVm']): Followed => {
  const { clients, scope, clock, call, find } = context;
  const vms = clients.compute.virtualMachines;
  const group = scope.nodeResourceGroup;
  /** Name → its creation, for the reason of a failure. */
  const creations = new Map<string, Poller>();
  const poller = statePoller(
    {
      list: (abortSignal) => call(() => listStates(vms.list(group, { abortSignal }))),
      get: async (name, signal) => (await getVm(name, signal))?.provisioningState,
    },
    PACE,
    clock,
  );
  const reasonOf = async (name: string, signal: AbortSignal): Promise<ArmError> => {
    const creation = creations.get(name);
    const seen = () => find(async () => failureIn(await vms.instanceView(group, name, { abortSignal: signal })));
    return (creation && (await failureOf(creation, clock.now(), signal))) ?? (await seen()) ?? unexplainedFailure(`VM ${name}`);
  };
  return {
    putVm: async (name, body, abortSignal) => {
      try {
        const creation: Poller = vms.createOrUpdate(group, name, body, { abortSignal, ifNoneMatch: '*' });
        await call(() => creation.submitted());
        creations.set(name, creation);
        return 'accepted';
      } catch (error) {
        if (error instanceof ArmError && error.status === 412) return 'exists';
        throw error;
      }
    },
    updateVm: async (name, change, signal) => {
      const update: Poller = vms.update(group, name, change, { abortSignal: signal });
      await call(() => update.submitted());
      const state = await poller.until(name, (now) => !UNDER_WAY.has(now), signal);
      if (FAILED.has(state)) throw (await failureOf(update, clock.now(), signal)) ?? unexplainedFailure(`VM ${name}`);
    },
    vmMade: async (name, signal) => {
      try {
        const state = await poller.until(name, (now) => !UNDER_WAY.has(now), signal);
        if (FAILED.has(state)) throw await reasonOf(name, signal);
        return state === 'Succeeded';
      } finally {
        creations.delete(name);
      }
    },
    vmGone: async (name, signal) => {
      await poller.until(name, (now) => now !== 'Deleting', signal);
    },
  };
};

/** Calls about virtual machines. */
export const vmCalls = (context: CallContext): VmCalls => {
  const { clients, scope, call, find } = context;
  const vms = clients.compute.virtualMachines;
  const group = scope.nodeResourceGroup;
  const getVm: VmCalls['getVm'] = (name, abortSignal) => find(async () => requireMachine(await vms.get(group, name, { abortSignal })));
  return {
    ...followedCalls(context, getVm),
    getVm,
    listVms: (abortSignal) => call(async () => (await Array.fromAsync(vms.list(group, { abortSignal }))).map(requireMachine)),
    deleteVm: async (name, abortSignal) => {
      await find(() => vms.delete(group, name, { abortSignal, forceDeletion: true }).submitted());
    },
  };
};
