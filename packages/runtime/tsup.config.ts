import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', 'client/kubeconfig': 'src/client/kubeconfig.ts' },
  format: ['esm'],
  dts: true,
  sourcemap: true,
  clean: true,
  target: 'node24',
});
