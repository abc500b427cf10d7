import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', 'offline-catalog/index': 'src/offline-catalog/index.ts' },
  format: ['esm'],
  dts: true,
  sourcemap: true,
  clean: true,
  target: 'node24',
});
