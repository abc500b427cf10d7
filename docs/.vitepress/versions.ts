import { readFileSync } from 'node:fs';

interface Manifest {
  readonly version: string;
  readonly repository?: { readonly url: string };
}

const manifest = JSON.parse(readFileSync(new URL('../../packages/core/package.json', import.meta.url), 'utf8')) as Manifest;

/** The version that the pages are about. */
export const { version } = manifest;

/** Where the site is served, with a slash at both ends: `DOCS_BASE`, else the root. The site of a release is served beside the others, as `/0.1.0/`. */
export const base = process.env['DOCS_BASE'] ?? '/';

/**
 * Menu entries of other versions, by the addresses of their sites: `DOCS_VERSIONS`, as
 * `https://example.com/0.2.0/,https://example.com/0.1.0/`. None without it: a first release has no other version.
 */
export const versions = (process.env['DOCS_VERSIONS'] ?? '')
  .split(',')
  .filter((address) => address !== '')
  .map((address) => ({
    text: new URL(address).pathname.split('/').findLast((part) => part !== '') ?? address,
    link: address,
    target: '_self',
  }));

/** The repository as a web address; undefined, and no link, until the manifests name one. Who publishes names it. */
export const repositoryUrl = manifest.repository?.url.replace(/^git\+/, '').replace(/\.git$/, '');
