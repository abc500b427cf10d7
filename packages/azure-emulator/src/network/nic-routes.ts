import { networkBodyRefusal } from '../body/body-refusal.ts';
import { acceptedDelete, acceptedReply } from '../operations/operation-replies.ts';
import { resourceNotFound } from '../serve/not-found.ts';
import { pagedList } from '../serve/paged-list.ts';
import { isRefusal, ok, armRefusalReply } from '../serve/replies.ts';
import type { ArmReply, ArmRequest, ArmRoute } from '../serve/route.ts';
import type { ArmWorld } from '../world.ts';
import { nicResource, type NicEntry } from './nic-entry.ts';
import type { NetworkInterfaces } from './network-interfaces.ts';
import { locationMismatch } from './network-refusals.ts';
import type { NicBody } from './nic-body.ts';
import { nicShape, nicTagsShape } from './nic-shape.ts';

const TYPE = 'Microsoft.Network/networkInterfaces';

const put = (world: ArmWorld, nics: NetworkInterfaces, request: ArmRequest): ArmReply => {
  const malformed = networkBodyRefusal(request.body, nicShape);
  if (malformed) return armRefusalReply(malformed);
  const body = request.body as NicBody;
  if (body.location.toLowerCase() !== world.account.location)
    return armRefusalReply(locationMismatch(body.location, world.account.location));
  const accepted = nics.put({ id: request.path, resourceGroup: request.params['resourceGroup'] ?? '', body, effects: request.effects });
  if (isRefusal(accepted)) return armRefusalReply(accepted);
  return acceptedReply(world, 'Microsoft.Network', {
    status: accepted.created ? 201 : 200,
    body: nicResource(accepted.nic),
    operation: accepted.operation,
  });
};

const withNic = (nics: NetworkInterfaces, request: ArmRequest, reply: (nic: NicEntry) => ArmReply): ArmReply => {
  const nic = nics.find(request.path);
  return nic === undefined ? resourceNotFound(request, TYPE) : reply(nic);
};

const patch = (nics: NetworkInterfaces, request: ArmRequest): ArmReply =>
  withNic(nics, request, (nic) => {
    const malformed = networkBodyRefusal(request.body, nicTagsShape);
    if (malformed) return armRefusalReply(malformed);
    nics.tag(nic, (request.body as { readonly tags?: Readonly<Record<string, string>> }).tags ?? {});
    return ok(nicResource(nic));
  });

const remove = (world: ArmWorld, nics: NetworkInterfaces, request: ArmRequest): ArmReply => {
  const nic = nics.find(request.path);
  if (nic === undefined) return { status: 204 };
  const accepted = nics.delete(nic, request.effects);
  return isRefusal(accepted) ? armRefusalReply(accepted) : acceptedDelete(world, 'Microsoft.Network', accepted);
};

/** Network interfaces over HTTP. */
export const nicRoutes = (world: ArmWorld, nics: NetworkInterfaces): readonly ArmRoute[] => {
  const collection = `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroup}/providers/${TYPE}`;
  const path = `${collection}/{name}`;
  return [
    {
      operation: 'NetworkInterfaces_CreateOrUpdate',
      method: 'PUT',
      path,
      asynchronous: true,
      handle: (request) => put(world, nics, request),
    },
    { operation: 'NetworkInterfaces_Get', method: 'GET', path, handle: (request) => withNic(nics, request, (nic) => ok(nicResource(nic))) },
    { operation: 'NetworkInterfaces_UpdateTags', method: 'PATCH', path, handle: (request) => patch(nics, request) },
    {
      operation: 'NetworkInterfaces_Delete',
      method: 'DELETE',
      path,
      asynchronous: true,
      handle: (request) => remove(world, nics, request),
    },
    {
      operation: 'NetworkInterfaces_List',
      method: 'GET',
      path: collection,
      handle: (request) => {
        const group = (request.params['resourceGroup'] ?? '').toLowerCase();
        const rows = nics.all().filter((nic) => nic.resourceGroup.toLowerCase() === group);
        return pagedList(rows.map(nicResource), request, { world });
      },
    },
  ];
};
