import { mkdirSync, writeFileSync } from 'node:fs';
import { crdFiles } from './crds/crd-files.ts';

const folder = new URL('../../apps/controller/chart-crds/templates/', import.meta.url);

mkdirSync(folder, { recursive: true });
for (const [name, content] of crdFiles()) {
  writeFileSync(new URL(name, folder), content);
  console.log(`apps/controller/chart-crds/templates/${name}`);
}
