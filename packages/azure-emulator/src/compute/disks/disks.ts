import { idKey, nameOf } from '../../arm-id.ts';
import type { ArmResource } from '../../graph/write-log.ts';
import type { DiskRecord } from './disk-record.ts';
import type { VmBody } from '../vms/vm-body.ts';

export interface DiskEntry {
  readonly id: string;
  readonly resourceGroup: string;
  readonly location: string;
  readonly zones: readonly string[] | undefined;
  readonly sizeGB: number;
  readonly createdMs: number;
  /** The image that it was made from. */
  readonly imageReference: VmBody['properties']['storageProfile']['imageReference'];
  /** The VM that it is attached to. */
  managedBy: string | undefined;
}

/** A version of a gallery; of a community's gallery it has a name of its own. */
const createdFrom = ({ id, communityGalleryImageId }: DiskEntry['imageReference']): object =>
  communityGalleryImageId === undefined ? { galleryImageReference: { id } } : { galleryImageReference: { communityGalleryImageId } };

export const diskResource = (disk: DiskEntry): ArmResource => ({
  id: disk.id,
  name: nameOf(disk.id),
  type: 'Microsoft.Compute/disks',
  location: disk.location,
  ...(disk.zones && { zones: disk.zones }),
  ...(disk.managedBy !== undefined && { managedBy: disk.managedBy }),
  properties: {
    osType: 'Linux',
    diskSizeGB: disk.sizeGB,
    creationData: { createOption: 'FromImage', ...createdFrom(disk.imageReference) },
    provisioningState: 'Succeeded',
    diskState: disk.managedBy === undefined ? 'Unattached' : 'Attached',
    timeCreated: new Date(disk.createdMs).toISOString(),
  },
});

export const diskRecordOf = (disk: DiskEntry): DiskRecord => ({
  id: disk.id,
  name: nameOf(disk.id),
  resourceGroup: disk.resourceGroup,
  sizeGB: disk.sizeGB,
  managedBy: disk.managedBy,
});

/** The managed disks of one emulator. */
export class Disks {
  readonly #entries = new Map<string, DiskEntry>();

  find(id: string): DiskEntry | undefined {
    return this.#entries.get(idKey(id));
  }

  all(): readonly DiskEntry[] {
    return [...this.#entries.values()];
  }

  add(disk: DiskEntry): void {
    this.#entries.set(idKey(disk.id), disk);
  }

  remove(id: string): void {
    this.#entries.delete(idKey(id));
  }
}
