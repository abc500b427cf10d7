import { packageBuild } from '../../tools/src/packages/package-build.ts';

export default packageBuild({ index: 'src/index.ts', 'client/connection/kubeconfig': 'src/client/connection/kubeconfig.ts' });
