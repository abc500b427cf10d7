/**
 * `node --conditions=@karpenter/source tools/src/record-scrape.ts FILE…`: writes what the original showed, for
 * `metric-values.test.ts`, from the metrics that `pnpm bench:original --only original` leaves beside its logs
 * (`NAME-original.log.metrics.txt`). The recording is of the scenarios `ramp` and `solitary`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { scrapedMetrics } from './bench/original/scraped-metrics.ts';

const files = process.argv.slice(2);
if (files.length === 0) throw new Error('expected files with metrics in the text format of Prometheus');
const recorded = Object.entries(scrapedMetrics(files.map((file) => readFileSync(file, 'utf8'))));
const lines = recorded.map(([name, metric]) => ` ${JSON.stringify(name)}: ${JSON.stringify(metric)}`);
writeFileSync(
  new URL('../../packages/testkit/src/stories/__golden__/scrape-of-original.json', import.meta.url),
  `{\n${lines.join(',\n')}\n}\n`,
);
process.stdout.write(`${recorded.length} metrics recorded\n`);
