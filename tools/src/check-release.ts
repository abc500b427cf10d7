/**
 * Whether the packages say what a registry needs to state where they come from, and whether their tables are fresh.
 * Exits 1 with one sentence for each that does not.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DatedTable, obstaclesToPublishing, type PublishedManifest, staleTables } from './packages/obstacles-to-publishing.ts';

const root = join(import.meta.dirname, '..', '..');
const manifestIn = (folder: string): PublishedManifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as PublishedManifest;

const folders = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
const tables = ['packages/azure/data/size-end-dates.json'].map((path): DatedTable => {
  const { readOn } = JSON.parse(readFileSync(join(root, path), 'utf8')) as DatedTable;
  return { path, readOn };
});
const obstacles = [
  ...obstaclesToPublishing(new Map(folders.map((folder) => [folder, manifestIn(folder)]))),
  ...staleTables(tables, Date.now()),
];
for (const obstacle of obstacles) console.error(obstacle);
process.exitCode = obstacles.length === 0 ? 0 : 1;
