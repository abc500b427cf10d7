import type { LocalApi } from '@karpenter/api-server';
import { csiDrivers } from '../objects/volume.ts';

/**
 * Whether volumes of a CSI driver are attached to a node before they are mounted, as they are unless its CSIDriver says
 * otherwise.
 */
export const isAttachable = (api: LocalApi, driver: string): boolean =>
  api.get(csiDrivers, { name: driver })?.spec.attachRequired !== false;
