import { refusal } from '../../faults/arm-error.ts';
import type { WriteLog } from '../../graph/write-log.ts';
import { acceptedDelete } from '../../operations/operation-replies.ts';
import { resourceNotFound } from '../../serve/not-found.ts';
import { pagedList } from '../../serve/paged-list.ts';
import { ok, armRefusalReply } from '../../serve/replies.ts';
import type { ArmReply, ArmRequest, ArmRoute } from '../../serve/route.ts';
import type { ArmWorld } from '../../world.ts';
import { diskResource, type Disks } from './disks.ts';

const TYPE = 'Microsoft.Compute/disks';

interface DiskService {
  readonly world: ArmWorld;
  readonly disks: Disks;
  readonly writes: WriteLog;
}

const remove = ({ world, disks, writes }: DiskService, request: ArmRequest): ArmReply => {
  const disk = disks.find(request.path);
  if (disk === undefined) return { status: 204 };
  if (disk.managedBy !== undefined) {
    return armRefusalReply(
      refusal(409, 'OperationNotAllowed', `Disk ${request.params['name'] ?? ''} is attached to VM ${disk.managedBy}.`),
    );
  }
  const operation = world.operations.begin({
    durationMs: world.latencies.diskDeleteMs,
    effects: request.effects,
    succeed: () => {
      disks.remove(disk.id);
      writes.deleted(disk.id);
    },
  });
  return acceptedDelete(world, 'Microsoft.Compute', operation);
};

/** Managed disks over HTTP: they come with machines, so here they are only read and deleted. */
export const diskRoutes = (service: DiskService): readonly ArmRoute[] => {
  const { world, disks } = service;
  const collection = `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroup}/providers/${TYPE}`;
  const path = `${collection}/{name}`;
  return [
    {
      operation: 'Disks_Get',
      method: 'GET',
      path,
      handle: (request) => {
        const disk = disks.find(request.path);
        return disk === undefined ? resourceNotFound(request, TYPE) : ok(diskResource(disk));
      },
    },
    { operation: 'Disks_Delete', method: 'DELETE', path, asynchronous: true, handle: (request) => remove(service, request) },
    {
      operation: 'Disks_ListByResourceGroup',
      method: 'GET',
      path: collection,
      handle: (request) => {
        const group = (request.params['resourceGroup'] ?? '').toLowerCase();
        const rows = disks.all().filter((disk) => disk.resourceGroup.toLowerCase() === group);
        return pagedList(rows.map(diskResource), request, { world });
      },
    },
  ];
};
