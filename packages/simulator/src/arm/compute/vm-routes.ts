import { computeBodyRefusal } from '../body/body-refusal.ts';
import { bodyProblem } from '../body/body-problem.ts';
import type { FaultSubject } from '../faults/fault.ts';
import { resourceNotFound } from '../network/network-refusals.ts';
import { acceptedDelete, acceptedWith } from '../operations/operation-replies.ts';
import { pagedList } from '../serve/paged-list.ts';
import { isRefusal, ok, refused } from '../serve/replies.ts';
import type { ArmReply, ArmRequest, Route } from '../serve/route.ts';
import type { ArmWorld } from '../world.ts';
import { type VirtualMachines } from './virtual-machines.ts';
import type { VmBody } from './vm-body.ts';
import { capacityTypeOf, type VmEntry, vmResource } from './vm-entry.ts';
import { vmShape, vmUpdateShape } from './vm-shape.ts';

const TYPE = 'Microsoft.Compute/virtualMachines';

const put = (world: ArmWorld, vms: VirtualMachines, request: ArmRequest): ArmReply => {
  const malformed = computeBodyRefusal(request.body, vmShape);
  if (malformed) return refused(malformed);
  const accepted = vms.put({
    id: request.path,
    subscriptionId: request.params['subscriptionId'] ?? '',
    resourceGroup: request.params['resourceGroup'] ?? '',
    body: request.body as VmBody,
    effects: request.effects,
  });
  if (isRefusal(accepted)) return refused(accepted);
  return acceptedWith(world, 'Microsoft.Compute', {
    status: accepted.created ? 201 : 200,
    body: vmResource(accepted.vm),
    operation: accepted.operation,
  });
};

const notFound = (request: ArmRequest): ArmReply =>
  refused(resourceNotFound(TYPE, request.params['name'] ?? '', request.params['resourceGroup'] ?? ''));

const instanceView = (vm: VmEntry): object => ({
  computerName: vm.body.properties.osProfile.computerName,
  statuses: [
    { code: `ProvisioningState/${vm.state.toLowerCase()}`, level: vm.state === 'Failed' ? 'Error' : 'Info', displayStatus: vm.state },
    ...(vm.running ? [{ code: 'PowerState/running', level: 'Info', displayStatus: 'VM running' }] : []),
  ],
});

const get = (vms: VirtualMachines, request: ArmRequest): ArmReply => {
  const vm = vms.find(request.path);
  if (vm === undefined) return notFound(request);
  const resource = vmResource(vm);
  if (request.query.get('$expand') !== 'instanceView') return ok(resource);
  return ok({ ...resource, properties: { ...resource.properties, instanceView: instanceView(vm) } });
};

const patch = (world: ArmWorld, vms: VirtualMachines, request: ArmRequest): ArmReply => {
  const vm = vms.find(request.path);
  if (vm === undefined) return notFound(request);
  const malformed = computeBodyRefusal(request.body, vmUpdateShape);
  if (malformed) return refused(malformed);
  const accepted = vms.patch(vm, request.body as Pick<VmBody, 'tags' | 'identity'>, request.effects);
  if (isRefusal(accepted)) return refused(accepted);
  return acceptedWith(world, 'Microsoft.Compute', { status: 200, body: vmResource(vm), operation: accepted });
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
  capacityType: capacityTypeOf(body),
});

/** Virtual machines over HTTP. */
export const vmRoutes = (world: ArmWorld, vms: VirtualMachines): readonly Route[] => {
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
      handle: (request) => {
        const group = (request.params['resourceGroup'] ?? '').toLowerCase();
        const rows = vms.all().filter((vm) => vm.resourceGroup.toLowerCase() === group);
        return pagedList(rows.map(vmResource), request, { url: world.url, pageSize: world.pageSize ?? 100 });
      },
    },
  ];
};
