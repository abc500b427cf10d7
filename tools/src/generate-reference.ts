import { mkdirSync, writeFileSync } from 'node:fs';
import { referencePages } from './reference/pages.ts';

const folder = new URL('../../docs/reference/', import.meta.url);

mkdirSync(folder, { recursive: true });
for (const [name, content] of await referencePages()) {
  writeFileSync(new URL(name, folder), content);
  console.log(`docs/reference/${name}`);
}
