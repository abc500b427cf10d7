import { startEmbeddedCluster } from '@karpenter/simulator';

await using cluster = await startEmbeddedCluster({ crds: ['apps/controller/chart-crds/templates/karpenter.sh_nodepools.yaml'] });
console.log(cluster.kubeconfigPath, cluster.environment());
