import { parentOf } from '../../arm-id.ts';
import { linkedRefusal } from '../../auth/linked-refusal.ts';
import { computeBodyRefusal } from '../../body/body-refusal.ts';
import { bodyProblem } from '../../body/body-problem.ts';
import { type ArmRefusal, refusal } from '../../faults/arm-error.ts';
import type { FaultSubject } from '../../faults/fault.ts';
import { acceptedDelete, acceptedReply } from '../../operations/operation-replies.ts';
import { resourceNotFound } from '../../serve/not-found.ts';
import { pagedList } from '../../serve/paged-list.ts';
import { isRefusal, ok, armRefusalReply } from '../../serve/replies.ts';
import type { ArmReply, ArmRequest, ArmRoute } from '../../serve/route.ts';
import type { ArmWorld } from '../../world.ts';
import { type VirtualMachines } from './virtual-machines.ts';
import type { VmBody } from './vm-body.ts';
import { vmCapacityTypeOf, imageIdOf, listedVmResource, type VmEntry, vmResource } from './vm-entry.ts';
import { vmShape, vmUpdateShape } from './vm-shape.ts';

const TYPE = 'Microsoft.Compute/virtualMachines';

/** Only `*` has a meaning, as in the real API: make it, but leave one that is there alone. */
const conditionRefusal = (vms: VirtualMachines, request: ArmRequest): ArmRefusal | undefined => {
  const condition = request.headers['if-none-match'];
  if (condition === undefined) return undefined;
  if (condition !== '*') return refusal(400, 'InvalidParameter', `The value ${condition} of If-None-Match is not supported; '*' is.`);
  return vms.find(request.path) && refusal(412, 'PreconditionFailed', 'The precondition given in the request header was not met.');
};

const put = (world: ArmWorld, vms: VirtualMachines, request: ArmRequest): ArmReply => {
  const malformed = computeBodyRefusal(request.body, vmShape) ?? conditionRefusal(vms, request);
  if (malformed) return armRefusalReply(malformed);
  const body = request.body as VmBody;
  const unlinked = linkedRefusal(world, request, imageIdOf(body));
  if (unlinked) return armRefusalReply(unlinked);
  const accepted = vms.put({
    id: request.path,
    subscriptionId: request.params['subscriptionId'] ?? '',
    resourceGroup: request.params['resourceGroup'] ?? '',
    body,
    effects: request.effects,
  });
  if (isRefusal(accepted)) return armRefusalReply(accepted);
  return acceptedReply(world, 'Microsoft.Compute', {
    status: accepted.created ? 201 : 200,
    body: vmResource(accepted.vm),
    operation: accepted.operation,
  });
};

const provisioningStatus = ({ state, failure }: VmEntry): object =>
  state === 'Failed' && failure !== undefined
    ? {
        code: `ProvisioningState/failed/${failure.code}`,
        level: 'Error',
        displayStatus: 'Provisioning failed',
        message: failure.message,
      }
    : { code: `ProvisioningState/${state.toLowerCase()}`, level: 'Info', displayStatus: state };

const instanceView = (vm: VmEntry): object => ({
  computerName: vm.body.properties.osProfile.computerName,
  statuses: [provisioningStatus(vm), ...(vm.running ? [{ code: 'PowerState/running', level: 'Info', displayStatus: 'VM running' }] : [])],
});

const view = (vms: VirtualMachines, request: ArmRequest): ArmReply => {
  const vm = vms.find(parentOf(request.path));
  return vm === undefined ? resourceNotFound(request, TYPE) : ok(instanceView(vm));
};

const list = (world: ArmWorld, vms: VirtualMachines, request: ArmRequest): ArmReply => {
  const group = (request.params['resourceGroup'] ?? '').toLowerCase();
  const rows = vms.all().filter((vm) => vm.resourceGroup.toLowerCase() === group);
  const shown = world.behaviours.extensionsById ? listedVmResource : vmResource;
  return pagedList(rows.map(shown), request, { world });
};

const get = (vms: VirtualMachines, request: ArmRequest): ArmReply => {
  const vm = vms.find(request.path);
  if (vm === undefined) return resourceNotFound(request, TYPE);
  const resource = vmResource(vm);
  if (request.query.get('$expand') !== 'instanceView') return ok(resource);
  return ok({ ...resource, properties: { ...resource.properties, instanceView: instanceView(vm) } });
};

const patch = (world: ArmWorld, vms: VirtualMachines, request: ArmRequest): ArmReply => {
  const vm = vms.find(request.path);
  if (vm === undefined) return resourceNotFound(request, TYPE);
  const malformed = computeBodyRefusal(request.body, vmUpdateShape);
  if (malformed) return armRefusalReply(malformed);
  const accepted = vms.patch(vm, request.body as Pick<VmBody, 'tags' | 'identity'>, request.effects);
  if (isRefusal(accepted)) return armRefusalReply(accepted);
  return acceptedReply(world, 'Microsoft.Compute', { status: 200, body: vmResource(vm), operation: accepted });
};

const remove = (world: ArmWorld, vms: VirtualMachines, request: ArmRequest): ArmReply => {
  const vm = vms.find(request.path);
  if (vm === undefined) return { status: 204 };
  return acceptedDelete(world, 'Microsoft.Compute', vms.delete(vm, request.effects));
};

const isVmBody = (body: unknown): body is VmBody => bodyProblem(body, vmShape) === undefined;

const subjectOf = (body: VmBody): Partial<FaultSubject> => ({
  vmSize: body.properties.hardwareProfile.vmSize,
  zone: body.zones?.[0] ?? '',
  capacityType: vmCapacityTypeOf(body),
});

/** Virtual machines over HTTP. */
export const vmRoutes = (world: ArmWorld, vms: VirtualMachines): readonly ArmRoute[] => {
  const collection = `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroup}/providers/${TYPE}`;
  const path = `${collection}/{name}`;
  const known = (request: ArmRequest): Partial<FaultSubject> => {
    const vm = vms.find(request.path);
    return vm ? subjectOf(vm.body) : {};
  };
  return [
    {
      operation: 'VirtualMachines_CreateOrUpdate',
      method: 'PUT',
      path,
      asynchronous: true,
      subject: (request) => (isVmBody(request.body) ? subjectOf(request.body) : {}),
      handle: (request) => put(world, vms, request),
      refusedByFault: (request) => {
        if (isVmBody(request.body)) vms.reserveInterfaces(request.path, request.body);
      },
    },
    { operation: 'VirtualMachines_InstanceView', method: 'GET', path: `${path}/instanceView`, handle: (request) => view(vms, request) },
    { operation: 'VirtualMachines_Get', method: 'GET', path, subject: known, handle: (request) => get(vms, request) },
    {
      operation: 'VirtualMachines_Update',
      method: 'PATCH',
      path,
      asynchronous: true,
      subject: known,
      handle: (request) => patch(world, vms, request),
    },
    {
      operation: 'VirtualMachines_Delete',
      method: 'DELETE',
      path,
      asynchronous: true,
      subject: known,
      handle: (request) => remove(world, vms, request),
    },
    {
      operation: 'VirtualMachines_List',
      method: 'GET',
      path: collection,
      handle: (request) => list(world, vms, request),
    },
  ];
};
