import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './repository.ts';

/** Paths of the CustomResourceDefinitions that the chart installs. */
export const chartCrds = (): readonly string[] => {
  const folder = repository('apps/controller/chart-crds/templates');
  return readdirSync(folder).map((name) => join(folder, name));
};
