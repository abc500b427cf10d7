import { expect, test } from '@jest/globals';
import { obstaclesToPublishing, type PublishedManifest, staleTables } from './obstacles-to-publishing.ts';

const URL = 'git+https://git.example/owner/karpenter.git';
const manifestNamed = (name: string, repository?: PublishedManifest['repository']): PublishedManifest =>
  repository === undefined ? { name } : { name, repository };
const obstacles = (...packages: readonly (readonly [string, PublishedManifest])[]) => obstaclesToPublishing(new Map(packages));

test('packages that name one repository and their folders in it can be published', () => {
  const core = manifestNamed('@k/core', { type: 'git', url: URL, directory: 'packages/core' });
  const azure = manifestNamed('@k/azure', { type: 'git', url: URL, directory: 'packages/azure' });
  expect(obstacles(['packages/core', core], ['packages/azure', azure])).toEqual([]);
});

test.each([
  ['no repository', undefined, '@k/core has no repository.url; its provenance names the repository'],
  [
    'an address that is none',
    { url: 'owner/name' },
    '@k/core has the repository.url "owner/name"; expected git+https://HOST/OWNER/NAME.git',
  ],
  ['no folder', { url: URL }, '@k/core has the repository.directory ""; expected "packages/core"'],
  ['another folder', { url: URL, directory: 'core' }, '@k/core has the repository.directory "core"; expected "packages/core"'],
])('%s is refused by name', (_case, repository, sentence) => {
  expect(obstacles(['packages/core', manifestNamed('@k/core', repository)])).toEqual([expect.stringContaining(sentence)]);
});

test('two repositories are one too many', () => {
  const core = manifestNamed('@k/core', { url: URL, directory: 'packages/core' });
  const azure = manifestNamed('@k/azure', { url: URL.replace('owner', 'other'), directory: 'packages/azure' });
  expect(obstacles(['packages/core', core], ['packages/azure', azure])).toEqual([expect.stringContaining('different repositories')]);
});

test('a table that was read over 180 days ago is refused', () => {
  const table = { path: 'packages/azure/data/size-end-dates.json', readOn: '2026-11-23' };
  expect(staleTables([table], Date.parse('2027-05-22'))).toEqual([]);
  expect(staleTables([table], Date.parse('2027-05-23'))).toEqual([expect.stringContaining('size-end-dates.json was read on 2026-11-23')]);
});
