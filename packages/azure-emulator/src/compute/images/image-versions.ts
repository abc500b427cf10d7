/** A version of an image definition in a gallery of the community, or in a shared one. */
export interface ImageVersion {
  readonly gallery: string;
  readonly definition: string;
  /** `202512.01.0` */
  readonly version: string;
  readonly publishedAtMs: number;
}

const keyOf = (gallery: string, definition: string): string => `${gallery}/${definition}`.toLowerCase();

/** The images of all galleries, by gallery and definition; names are compared ignoring case. */
export class ImageVersions {
  readonly #byDefinition = new Map<string, ImageVersion[]>();

  publish(image: ImageVersion): void {
    const key = keyOf(image.gallery, image.definition);
    const versions = (this.#byDefinition.get(key) ?? []).filter((known) => known.version !== image.version);
    this.#byDefinition.set(key, [...versions, image]);
  }

  all(): readonly ImageVersion[] {
    return [...this.#byDefinition.values()].flat();
  }

  /** In order of publication; undefined when there is no such definition. */
  versionsOf(gallery: string, definition: string): readonly ImageVersion[] | undefined {
    return this.#byDefinition.get(keyOf(gallery, definition));
  }
}
