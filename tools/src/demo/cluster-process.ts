/** The embedded cluster as a process of its own: prints one JSON line with what others need to reach it. Ends on SIGTERM, and with its standard input: when who started it is gone. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { DEFAULT_KUBELET_DELAYS, startEmbeddedCluster } from '@karpenter/simulator';
import { DEFAULT_LATENCIES } from '@karpenter/simulator/arm';

const { values } = parseArgs({
  options: { speed: { type: 'string', default: '1' }, crds: { type: 'string', multiple: true, default: [] } },
});
const speed = Number(values.speed);

/** Only waiting is shortened; the clock stays real, so that `kubectl get` shows true ages and the controller needs no other clock. */
const hurried = <T extends object>(times: T): T =>
  Object.fromEntries(Object.entries(times).map(([name, ms]) => [name, Number(ms) / speed])) as T;

const cluster = await startEmbeddedCluster({
  crds: values.crds.map((path) => readFileSync(path, 'utf8')),
  delays: hurried(DEFAULT_KUBELET_DELAYS),
  azure: { latencies: hurried(DEFAULT_LATENCIES) },
});
console.log(JSON.stringify({ kubeconfigPath: cluster.kubeconfigPath, environment: cluster.environment() }));

const stop = (): void => {
  void cluster.stop().then(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.stdin.once('end', stop).resume();
