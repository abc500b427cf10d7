import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiReports } from './api/api-reports.ts';

const packages = fileURLToPath(new URL('../../packages/', import.meta.url));
const reports = [...apiReports(packages)];

for (const [path] of reports) rmSync(dirname(join(packages, path)), { recursive: true, force: true });
for (const [path, content] of reports) {
  mkdirSync(dirname(join(packages, path)), { recursive: true });
  writeFileSync(join(packages, path), content);
  console.log(`packages/${path}`);
}
