import { join, resolve } from 'node:path';
import { buildControlPlane, buildHollowKubelet, ETCD, KUBERNETES, kwok } from './go/control-plane.ts';
import { buildProgram } from './go/go-module.ts';

const usage = 'usage: pnpm build:control-plane <folder>   (needs Go; takes about ten minutes on two cores)';

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || rest.length > 0) {
  console.error(usage);
  process.exitCode = 2;
} else {
  const target = resolve(folder);
  buildControlPlane(target);
  buildHollowKubelet(target);
  buildProgram(kwok, join(target, 'kwok'));
  console.log(
    `etcd v${ETCD}, the control plane of Kubernetes v${KUBERNETES}, its hollow kubelet and kwok v${kwok.version} are in ${target}`,
  );
}
