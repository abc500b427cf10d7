import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@karpenter/kube-api-contract/programs';
import { stringify } from 'yaml';
import { type Child, startChild } from '../demo/processes/child.ts';
import { repository } from '../repository.ts';

export const SCRAPE_SECONDS = 5;

export interface PrometheusChild extends Child {
  /** Where it answers. */
  readonly url: string;
}

/** Starts a Prometheus that scrapes one port of loopback and evaluates the chart's alerts; it keeps its files in `folder`. */
export const startPrometheus = async (options: {
  readonly program: string;
  readonly metricsPort: number;
  readonly folder: string;
}): Promise<PrometheusChild> => {
  const { program, metricsPort, folder } = options;
  const every = `${SCRAPE_SECONDS}s`;
  const config = {
    global: { scrape_interval: every, evaluation_interval: every },
    rule_files: [repository('apps/controller/chart/alerts/karpenter.yaml')],
    scrape_configs: [{ job_name: 'karpenter', static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] }],
  };
  const configFile = join(folder, 'prometheus.yml');
  writeFileSync(configFile, stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const args = [`--config.file=${configFile}`, `--storage.tsdb.path=${join(folder, 'series')}`, `--web.listen-address=${address}`];
  const child = startChild({ name: 'Prometheus', program, args, onLine: () => undefined });
  return { ...child, url: `http://${address}` };
};
