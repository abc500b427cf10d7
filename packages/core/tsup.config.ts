import { defineConfig } from 'tsup';

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    'controllers/index': 'src/controllers/index.ts',
    'convert/index': 'src/convert/index.ts',
    'internal/index': 'src/internal/index.ts',
    'provider-kit/index': 'src/provider-kit/index.ts',
  },
  format: ['esm'],
  dts: true,
  sourcemap: true,
  clean: true,
  target: 'node24',
});
