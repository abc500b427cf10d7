import type { ArmApi } from './arm-api.ts';
import type { CallContext } from './call-context.ts';

type ExtensionCalls = Pick<ArmApi, 'putExtension' | 'tagExtension'>;

/** Calls about extensions of virtual machines. Nobody waits for one: a machine that lacks its own is given it again. */
export const extensionCalls = ({ clients, scope, call, find }: CallContext): ExtensionCalls => {
  const extensions = clients.compute.virtualMachineExtensions;
  const group = scope.nodeResourceGroup;
  return {
    putExtension: (vm, { name, body }, abortSignal) =>
      call(() => extensions.createOrUpdate(group, vm, name, body, { abortSignal }).submitted()),
    tagExtension: async (vm, { name, tags }, abortSignal) => {
      await find(() => extensions.update(group, vm, name, { tags: { ...tags } }, { abortSignal }).submitted());
    },
  };
};
