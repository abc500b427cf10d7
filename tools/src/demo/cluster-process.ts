/** The embedded cluster as a process of its own: prints one JSON line with what others need to reach it, and ends on SIGTERM. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startEmbeddedCluster } from '@karpenter/simulator';

const { values } = parseArgs({
  options: { speed: { type: 'string', default: '1' }, crds: { type: 'string', multiple: true, default: [] } },
});

const cluster = await startEmbeddedCluster({
  speed: Number(values.speed),
  crds: values.crds.map((path) => readFileSync(path, 'utf8')),
});
console.log(JSON.stringify({ kubeconfigPath: cluster.kubeconfigPath, environment: cluster.environment() }));

const stop = (): void => {
  void cluster.stop().then(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
