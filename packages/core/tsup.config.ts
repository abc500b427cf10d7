import { packageBuild } from '../../tools/src/packages/package-build.ts';

export default packageBuild({
  index: 'src/index.ts',
  'controllers/index': 'src/controllers/index.ts',
  'convert/index': 'src/convert/index.ts',
  'internal/index': 'src/internal/index.ts',
  'provider-kit/index': 'src/provider-kit/index.ts',
});
