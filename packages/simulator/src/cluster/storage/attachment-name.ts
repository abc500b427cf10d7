import { createHash } from 'node:crypto';

/** The name that the attach-detach controller gives the VolumeAttachment of a volume and a node. */
export const attachmentName = ({ driver, volumeHandle }: { driver: string; volumeHandle: string }, nodeName: string): string =>
  `csi-${createHash('sha256').update(`${volumeHandle}${driver}${nodeName}`).digest('hex')}`;
