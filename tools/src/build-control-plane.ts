import { resolve } from 'node:path';
import { buildControlPlane, ETCD, KUBERNETES } from './go/control-plane.ts';

const usage = 'usage: pnpm build:control-plane <folder>   (needs Go; takes about ten minutes on two cores)';

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || rest.length > 0) {
  console.error(usage);
  process.exitCode = 2;
} else {
  const target = resolve(folder);
  buildControlPlane(target);
  console.log(`etcd v${ETCD} and the control plane of Kubernetes v${KUBERNETES} are in ${target}`);
}
