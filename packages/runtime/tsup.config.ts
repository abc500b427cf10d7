import { defineConfig } from 'tsup';

export default defineConfig({
  entry: { index: 'src/index.ts', 'client/connection/kubeconfig': 'src/client/connection/kubeconfig.ts' },
  format: ['esm'],
  dts: true,
  sourcemap: true,
  clean: true,
  target: 'node24',
});
