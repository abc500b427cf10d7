/**
 * The embedded cluster as a process of its own: prints one JSON line with what others need to reach it. Ends on
 * SIGTERM, and with its standard input: when who started it is gone.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { speedOptions, startEmbeddedCluster } from '@karpenter/simulator';

const { values } = parseArgs({
  options: { speed: { type: 'string', default: '1' }, crds: { type: 'string', multiple: true, default: [] } },
});
const cluster = await startEmbeddedCluster({
  crds: values.crds.map((path) => readFileSync(path, 'utf8')),
  ...speedOptions(Number(values.speed)),
});
console.log(JSON.stringify({ kubeconfigPath: cluster.kubeconfigPath, environment: cluster.environment() }));

const stop = (): void => {
  void cluster.stop().then(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.stdin.once('end', stop).resume();
