import { type AKSNodeClass, isFips, type NodeImage } from '../../apis/index.ts';
import type { ArmApi } from '../../arm/arm-api.ts';
import { ArmError } from '../../arm/arm-error.ts';
import {
  communityImageId,
  type ImageDefinition,
  imageDefinitionsOf,
  newestNodeImage,
  newestVersionOf,
  sharedImageId,
} from '../../images/index.ts';
import type { AzureOptions } from '../../options/index.ts';

const FRESH_MS = 3 * 24 * 3_600_000;

/** The newest images for classes. */
export interface ImageDiscovery {
  /** In order of preference; empty when there are none. Throws `ArmError`. */
  newest(nodeClass: AKSNodeClass, kubernetesVersion: string, signal: AbortSignal): Promise<readonly NodeImage[]>;
}

export interface ImageDiscoverySource {
  readonly arm: Pick<ArmApi, 'listImageVersions' | 'listNodeImages'>;
  readonly clock: { now(): number };
  readonly options: Pick<AzureOptions, 'sharedGalleries'>;
}

/** Asks at most every three days for one key; while the answer is nothing, each time. */
const remembering = <T>(clock: { now(): number }) => {
  const known = new Map<string, { readonly value: T; readonly untilMs: number }>();
  return async (key: string, ask: () => Promise<T | undefined>): Promise<T | undefined> => {
    const found = known.get(key);
    if (found !== undefined && found.untilMs > clock.now()) return found.value;
    const value = await ask();
    if (value !== undefined) known.set(key, { value, untilMs: clock.now() + FRESH_MS });
    return value;
  };
};

type ImageIdOf = (image: ImageDefinition, kubernetesVersion: string, signal: AbortSignal) => Promise<string | undefined>;

/**
 * Undefined where the region does not have the definition.
 * Differs: in the original one definition that is missing hides all others.
 */
const newestInCommunity = async (arm: ImageDiscoverySource['arm'], image: ImageDefinition, signal: AbortSignal) => {
  try {
    return newestVersionOf(await arm.listImageVersions(image, signal));
  } catch (error) {
    if (error instanceof ArmError && error.code === 'not-found') return undefined;
    throw error;
  }
};

const inCommunity = ({ arm, clock }: ImageDiscoverySource): ImageIdOf => {
  const remembered = remembering<string>(clock);
  return async (image, kubernetesVersion, signal) => {
    const key = `${kubernetesVersion} ${image.gallery}/${image.name}`;
    const version = await remembered(key, () => newestInCommunity(arm, image, signal));
    return version === undefined ? undefined : communityImageId(image, version);
  };
};

/** One list has the images of all definitions. */
const inShared = ({ arm, clock }: ImageDiscoverySource, subscriptionId: string): ImageIdOf => {
  const remembered = remembering<Awaited<ReturnType<ArmApi['listNodeImages']>>>(clock);
  return async (image, kubernetesVersion, signal) => {
    const list = async () => {
      const images = await arm.listNodeImages(signal);
      return images.length === 0 ? undefined : images;
    };
    const version = newestNodeImage((await remembered(kubernetesVersion, list)) ?? [], image);
    return version === undefined ? undefined : sharedImageId(subscriptionId, image, version);
  };
};

/** Reads the community galleries, which have no images with FIPS, or in the shared ones where the options name them. */
export const imageDiscovery = (source: ImageDiscoverySource): ImageDiscovery => {
  const { sharedGalleries } = source.options;
  const idOf = sharedGalleries === undefined ? inCommunity(source) : inShared(source, sharedGalleries.subscriptionId);
  return {
    newest: async (nodeClass, kubernetesVersion, signal) => {
      if (sharedGalleries === undefined && isFips(nodeClass)) return [];
      const images: NodeImage[] = [];
      for (const definition of imageDefinitionsOf(nodeClass.spec ?? {}, kubernetesVersion)) {
        const id = await idOf(definition, kubernetesVersion, signal);
        if (id !== undefined) images.push({ id, requirements: definition.requirements });
      }
      return images;
    },
  };
};
