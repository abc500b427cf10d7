import { packageBuild } from '../../tools/src/packages/package-build.ts';

export default packageBuild({ index: 'src/index.ts' });
