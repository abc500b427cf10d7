import type { NodeImage } from '../apis/index.ts';

export interface PublishedVersion {
  readonly name: string;
  readonly publishedAtMs: number;
}

/** The version that was published last; of two at one moment the later name. Undefined when there is none. */
export const newestVersionOf = (versions: readonly PublishedVersion[]): string | undefined =>
  versions.toSorted((a, b) => b.publishedAtMs - a.publishedAtMs || (a.name < b.name ? 1 : -1))[0]?.name;

const baseOf = (imageId: string): string => imageId.replace(/\/versions\/[^/]*$/, '');

/**
 * The images that a class is to have while its maintenance window is closed: what it has keeps its version, what is new comes with the
 * newest, what is no longer asked for goes.
 */
export const keepingVersions = (current: readonly NodeImage[], discovered: readonly NodeImage[]): readonly NodeImage[] =>
  discovered.map((image) => current.find((kept) => baseOf(kept.id) === baseOf(image.id)) ?? image);
