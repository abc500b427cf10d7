/**
 * Whether the packages say what a registry needs to state where they come from. Exits 1 with one sentence for each that
 * does not.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { obstaclesToPublishing, type PublishedManifest } from './packages/obstacles-to-publishing.ts';

const root = join(import.meta.dirname, '..', '..');
const manifestIn = (folder: string): PublishedManifest =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as PublishedManifest;

const folders = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`);
const obstacles = obstaclesToPublishing(new Map(folders.map((folder) => [folder, manifestIn(folder)])));
for (const obstacle of obstacles) console.error(obstacle);
process.exitCode = obstacles.length === 0 ? 0 : 1;
