import { packageBuild } from '../../tools/src/packages/package-build.ts';

export default packageBuild({
  index: 'src/index.ts',
  'contract/index': 'src/contract/index.ts',
  'programs/index': 'src/programs/index.ts',
});
