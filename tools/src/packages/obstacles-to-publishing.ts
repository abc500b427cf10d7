/** What a package.json says of where the package comes from. */
export interface PublishedManifest {
  readonly name: string;
  readonly repository?: { readonly type?: string; readonly url?: string; readonly directory?: string };
}

const ADDRESS = /^git\+https:\/\/[^/\s]+\/\S+\.git$/;

const addressObstacle = (url: string | undefined): readonly string[] => {
  if (url === undefined)
    return [
      'has no repository.url; its provenance names the repository that it was built from (CONTRIBUTING.md, "Publishing", says what to set)',
    ];
  return ADDRESS.test(url) ? [] : [`has the repository.url "${url}"; expected git+https://HOST/OWNER/NAME.git`];
};

const folderObstacle = (directory: string | undefined, folder: string): readonly string[] =>
  directory === folder ? [] : [`has the repository.directory "${directory ?? ''}"; expected "${folder}", where it stands`];

/**
 * Why packages cannot be published yet, one sentence each; empty when they can. Takes their folders, as seen from the
 * root, with their manifests.
 */
export const obstaclesToPublishing = (packages: ReadonlyMap<string, PublishedManifest>): readonly string[] => {
  const own = [...packages].flatMap(([folder, { name, repository }]) => {
    const address = addressObstacle(repository?.url);
    const all = address.length > 0 ? address : folderObstacle(repository?.directory, folder);
    return all.map((obstacle) => `${name} ${obstacle}`);
  });
  const addresses = new Set([...packages.values()].map(({ repository }) => repository?.url));
  return own.length === 0 && addresses.size > 1 ? [`packages name different repositories: ${[...addresses].join(', ')}`] : own;
};

/** A table that is to be compared with its source from time to time. */
export interface DatedTable {
  /** Path from the root. */
  readonly path: string;
  /** `2026-11-23` */
  readonly readOn: string;
}

const FRESH_DAYS = 180;

/** Why tables cannot be published on a day, one sentence each. */
export const staleTables = (tables: readonly DatedTable[], nowMs: number): readonly string[] =>
  tables
    .filter(({ readOn }) => nowMs - Date.parse(readOn) > FRESH_DAYS * 86_400_000)
    .map(({ path, readOn }) => `${path} was read on ${readOn}, over ${FRESH_DAYS} days ago: compare it with its source and set readOn`);
