/**
 * What a provider says about labels. A value passed in, never a global: two providers can live in one process.
 */
export interface LabelCatalog {
  /** Labels that every new node will get; a pod may ask for them though no NodePool names them. */
  readonly wellKnown: ReadonlySet<string>;
  /** Domains (with their subdomains) that users may not use in templates and requirements, well-known labels excepted. */
  readonly restrictedDomains: ReadonlySet<string>;
  readonly restrictedLabels: ReadonlySet<string>;
  /** Deprecated or foreign key → the key that is meant. */
  readonly normalizedKeys: ReadonlyMap<string, string>;
  /** Normalised key → (value → the value that is meant). */
  readonly normalizedValues: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Key → the only values that exist, to warn about misspellings. */
  readonly knownValues: ReadonlyMap<string, ReadonlySet<string>>;
  /** The label that names the reservation of a node. Absent: the provider has no reservations to launch into. */
  readonly reservationId?: string;
}
