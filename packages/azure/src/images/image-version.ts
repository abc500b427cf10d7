export interface PublishedVersion {
  readonly name: string;
  readonly publishedAtMs: number;
}

/** The version that was published last; of two at one moment the later name. Undefined when there is none. */
export const newestVersionOf = (versions: readonly PublishedVersion[]): string | undefined =>
  versions.toSorted((a, b) => b.publishedAtMs - a.publishedAtMs || (a.name < b.name ? 1 : -1))[0]?.name;
