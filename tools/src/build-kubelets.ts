import { resolve } from 'node:path';
import { buildKubelets, KUBELETS } from './go/control-plane.ts';

const usage = 'usage: pnpm build:kubelets <folder>   (needs Go; takes about fifteen minutes on two cores)';

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || rest.length > 0) {
  console.error(usage);
  process.exitCode = 2;
} else {
  const target = resolve(folder);
  buildKubelets(target);
  console.log(`the kubelets of Kubernetes ${KUBELETS.join(' and ')} are in ${target}`);
}
