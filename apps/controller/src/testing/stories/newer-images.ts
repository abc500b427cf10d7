import type { Story } from './story.ts';

/** Newer than any image that there is from the start. */
const NEWER = '202612.01.0';

/**
 * Brings a newer version of every image that a machine has, of whatever gallery. The controller is restarted: one that
 * was there before would search for images again in three days only.
 */
export const publishNewerImages = async (story: Story): Promise<void> => {
  const { arm, clock } = story.cluster;
  for (const { imageId } of arm.vms()) {
    const [, gallery = '', definition = ''] = /galleries\/([^/]+)\/images\/([^/]+)\//i.exec(imageId) ?? [];
    arm.images.publish({ gallery, definition, version: NEWER, publishedAtMs: clock.now() });
  }
  await story.restart();
};

/** How many machines have a newer image. */
export const newerMachines = ({ cluster }: Story): number =>
  cluster.arm.vms().filter(({ imageId }) => imageId.endsWith(`/versions/${NEWER}`)).length;
