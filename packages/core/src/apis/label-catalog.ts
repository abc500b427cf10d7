/**
 * What a provider defines about labels. It is passed as a value and never global, so that two providers can live in one
 * process.
 */
export interface LabelCatalog {
  /** Labels that every new node will get: pods may require them although no NodePool defines them. */
  readonly wellKnown: ReadonlySet<string>;
  /** Domains (with their subdomains) that users may not use in templates and requirements, well-known labels excepted. */
  readonly restrictedDomains: ReadonlySet<string>;
  readonly restrictedLabels: ReadonlySet<string>;
  /** Deprecated or foreign key → the canonical key. */
  readonly normalizedKeys: ReadonlyMap<string, string>;
  /** Canonical key → (value → canonical value). */
  readonly normalizedValues: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Key → the only values that exist, to warn about misspellings. */
  readonly knownValues: ReadonlyMap<string, ReadonlySet<string>>;
  /** The label that names the reservation of a node. Absent: the provider has no reservations to launch into. */
  readonly reservationId?: string;
}
