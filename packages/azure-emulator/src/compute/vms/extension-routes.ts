import { computeBodyRefusal } from '../../body/body-refusal.ts';
import { idKey, parentOf } from '../../arm-id.ts';
import { acceptedReply } from '../../operations/operation-replies.ts';
import { resourceNotFound } from '../../serve/not-found.ts';
import { ok, armRefusalReply } from '../../serve/replies.ts';
import type { ArmReply, ArmRequest, ArmRoute } from '../../serve/route.ts';
import type { ArmWorld } from '../../world.ts';
import type { VirtualMachines } from './virtual-machines.ts';
import { extensionResource, type VmEntry, type VmExtension } from './vm-entry.ts';
import { extensionShape, extensionUpdateShape } from './vm-shape.ts';

const TYPE = 'Microsoft.Compute/virtualMachines';

interface Machines {
  readonly world: ArmWorld;
  readonly vms: VirtualMachines;
}

const vmOf = ({ vms }: Machines, request: ArmRequest): VmEntry | undefined =>
  vms.find(request.path.slice(0, request.path.toLowerCase().lastIndexOf('/extensions/')));

const scriptOf = ({ body }: VmExtension): string | undefined => {
  const { type, protectedSettings } = body.properties as { readonly type?: string; readonly protectedSettings?: Record<string, string> };
  return type === 'CustomScript' ? protectedSettings?.['commandToExecute'] : undefined;
};

interface Change {
  readonly vm: VmEntry;
  readonly extension: VmExtension;
  /** What the extension is to be. */
  readonly body: VmExtension['body'];
}

const change = (machines: Machines, request: ArmRequest, { vm, extension, body }: Change): ArmReply => {
  const { world, vms } = machines;
  const refusal = vms.extensionRefusal(vm);
  if (refusal !== undefined) return armRefusalReply(refusal);
  const created = !vm.extensions.has(idKey(extension.name));
  extension.body = body;
  vm.extensions.set(idKey(extension.name), extension);
  extension.state = created ? 'Creating' : 'Updating';
  const settle = (state: 'Succeeded' | 'Failed') => {
    extension.state = state;
    vms.wrote(vm);
  };
  const operation = world.operations.begin({
    durationMs: world.latencies.extensionMs,
    effects: request.effects,
    succeed: () => {
      settle('Succeeded');
      const script = scriptOf(extension);
      if (script !== undefined) vms.configured(vm, script);
    },
    fail: () => settle('Failed'),
  });
  vms.wrote(vm);
  return acceptedReply(world, 'Microsoft.Compute', { status: created ? 201 : 200, body: extensionResource(extension), operation });
};

const put = (machines: Machines, request: ArmRequest): ArmReply => {
  const vm = vmOf(machines, request);
  if (vm === undefined) return resourceNotFound(request, TYPE, request.params['vm'] ?? '');
  const malformed = computeBodyRefusal(request.body, extensionShape);
  if (malformed) return armRefusalReply(malformed);
  const name = request.params['name'] ?? '';
  const body = request.body as VmExtension['body'];
  const extension = vm.extensions.get(idKey(name)) ?? { id: request.path, name, body, state: 'Creating' };
  return change(machines, request, { vm, extension, body });
};

const list = (machines: Machines, request: ArmRequest): ArmReply => {
  const vm = machines.vms.find(parentOf(request.path));
  return vm === undefined
    ? resourceNotFound(request, TYPE, request.params['vm'] ?? '')
    : ok({ value: [...vm.extensions.values()].map(extensionResource) });
};

const withExtension = (
  machines: Machines,
  request: ArmRequest,
  reply: (found: { readonly vm: VmEntry; readonly extension: VmExtension }) => ArmReply,
): ArmReply => {
  const vm = vmOf(machines, request);
  const extension = vm?.extensions.get(idKey(request.params['name'] ?? ''));
  return vm && extension ? reply({ vm, extension }) : resourceNotFound(request, `${TYPE}/extensions`);
};

const patch = (machines: Machines, request: ArmRequest): ArmReply =>
  withExtension(machines, request, (found) => {
    const malformed = computeBodyRefusal(request.body, extensionUpdateShape);
    if (malformed) return armRefusalReply(malformed);
    const body = { ...found.extension.body, ...(request.body as Pick<VmExtension['body'], 'tags'>) };
    return change(machines, request, { ...found, body });
  });

/** Extensions of virtual machines over HTTP. They do nothing to the machine, but listeners hear of scripts. */
export const extensionRoutes = (world: ArmWorld, vms: VirtualMachines): readonly ArmRoute[] => {
  const machines = { world, vms };
  const collection = `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroup}/providers/${TYPE}/{vm}/extensions`;
  const path = `${collection}/{name}`;
  return [
    {
      operation: 'VirtualMachineExtensions_List',
      method: 'GET',
      path: collection,
      handle: (request) => list(machines, request),
    },
    {
      operation: 'VirtualMachineExtensions_CreateOrUpdate',
      method: 'PUT',
      path,
      asynchronous: true,
      handle: (request) => put(machines, request),
    },
    {
      operation: 'VirtualMachineExtensions_Update',
      method: 'PATCH',
      path,
      asynchronous: true,
      handle: (request) => patch(machines, request),
    },
    {
      operation: 'VirtualMachineExtensions_Get',
      method: 'GET',
      path,
      handle: (request) => withExtension(machines, request, ({ extension }) => ok(extensionResource(extension))),
    },
  ];
};
