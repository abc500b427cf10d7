import { mkdirSync, writeFileSync } from 'node:fs';
import { crdFiles, kwokCrdFiles } from './crds/crd-files.ts';
import { repository } from './repository.ts';

const writeAll = (folder: string, files: ReadonlyMap<string, string>): void => {
  mkdirSync(repository(folder), { recursive: true });
  for (const [name, content] of files) {
    writeFileSync(repository(`${folder}/${name}`), content);
    console.log(`${folder}/${name}`);
  }
};

writeAll('apps/controller/chart-crds/templates', crdFiles());
writeAll('packages/kwok/crds', kwokCrdFiles());
