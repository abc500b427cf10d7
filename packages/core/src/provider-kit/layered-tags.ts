type Tags = Readonly<Record<string, string>>;

/** Tags of a machine and what belongs to it: the cluster's, over them its class's, over them the provider's own marks. */
export interface TagLayers {
  readonly cluster: Tags;
  readonly nodeClass: Tags;
  readonly own: Tags;
}

/**
 * One set of tags. `legalKey` gives a key in the cloud's alphabet; of keys that become one, the upper layer's value counts.
 */
export const layeredTags = ({ cluster, nodeClass, own }: TagLayers, legalKey: (key: string) => string = (key) => key): Tags =>
  Object.fromEntries([cluster, nodeClass, own].flatMap(Object.entries<string>).map(([key, value]) => [legalKey(key), value]));
