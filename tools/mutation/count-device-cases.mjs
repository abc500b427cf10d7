import { globSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { takeCollected } from './collected-tests.mjs';
import { findSourcesIn } from './source-hooks.mjs';

/** Prints how many cases the tests of device allocation have, by what they are about. It loads them, and runs none. */
const root = fileURLToPath(new URL('../..', import.meta.url));
findSourcesIn(root);

const FOLDERS = [
  'packages/core/src/scheduling/devices',
  'packages/core/src/scheduling/devices/cel',
  'packages/testkit/src/validator/devices',
];

const groupOf = (name) => name.split(' > ')[0].replace(/ #\d+$/, '');

const counts = new Map();
for (const file of FOLDERS.flatMap((folder) => globSync(`${folder}/*.test.ts`, { cwd: root }).toSorted())) {
  await import(pathToFileURL(`${root}/${file}`).href);
  const collected = takeCollected();
  for (const { name } of collected) {
    const group = name.includes(' > ') ? groupOf(name) : 'single tests';
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
}
const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
for (const [group, count] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1))) console.log(`${String(count).padStart(4)}  ${group}`);
console.log(`${String(total).padStart(4)}  all`);
