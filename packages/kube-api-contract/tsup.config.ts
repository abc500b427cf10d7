import { packageBuild } from '../../tools/src/packages/package-build.ts';

export default packageBuild({ index: 'src/index.ts', 'programs/index': 'src/programs/index.ts' });
