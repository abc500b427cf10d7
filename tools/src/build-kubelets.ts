import { resolve } from 'node:path';
import { buildKubelets, KUBELETS } from './go/control-plane.ts';

const usage = `usage: pnpm build:kubelets <folder> [version...]
Versions: ${KUBELETS.join(', ')}; all of them without one. Needs Go; each takes about five minutes on two cores.`;

const [folder, ...named] = process.argv.slice(2);
const versions = named.length === 0 ? KUBELETS : named;
if (folder === undefined || !versions.every((version) => KUBELETS.includes(version))) {
  console.error(usage);
  process.exitCode = 2;
} else {
  const target = resolve(folder);
  buildKubelets(target, versions);
  console.log(`the kubelets of Kubernetes ${versions.join(', ')} are in ${target}`);
}
