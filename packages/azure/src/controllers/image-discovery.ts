import type { AKSNodeClass, NodeImage } from '../apis/index.ts';
import type { ArmApi } from '../arm/arm-api.ts';
import { communityImageId, type ImageDefinition, imageDefinitionsOf, newestVersionOf } from '../images/index.ts';

const FRESH_MS = 3 * 24 * 3_600_000;

/** The newest images for classes. */
export interface ImageDiscovery {
  /** In order of preference; empty when there are none. Throws `ArmError`. */
  newest(nodeClass: AKSNodeClass, kubernetesVersion: string, signal: AbortSignal): Promise<readonly NodeImage[]>;
}

/** Looks in the community galleries, at most every three days for one image and Kubernetes version. */
export const imageDiscovery = (arm: Pick<ArmApi, 'listImageVersions'>, clock: { now(): number }): ImageDiscovery => {
  const known = new Map<string, { readonly version: string; readonly untilMs: number }>();
  const versionOf = async (image: ImageDefinition, kubernetesVersion: string, signal: AbortSignal): Promise<string | undefined> => {
    const key = `${kubernetesVersion} ${image.gallery}/${image.name}`;
    const found = known.get(key);
    if (found !== undefined && found.untilMs > clock.now()) return found.version;
    const version = newestVersionOf(await arm.listImageVersions(image, signal));
    if (version !== undefined) known.set(key, { version, untilMs: clock.now() + FRESH_MS });
    return version;
  };
  return {
    newest: async (nodeClass, kubernetesVersion, signal) => {
      const images: NodeImage[] = [];
      for (const definition of imageDefinitionsOf(nodeClass.spec ?? {}, kubernetesVersion)) {
        const version = await versionOf(definition, kubernetesVersion, signal);
        if (version !== undefined) images.push({ id: communityImageId(definition, version), requirements: definition.requirements });
      }
      return images;
    },
  };
};
