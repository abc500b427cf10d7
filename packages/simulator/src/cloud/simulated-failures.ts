import { reportFailedLaunch } from '@karpenter/core/provider-kit';
import { type KubeClient, requeueAfter, type SingletonController } from '@karpenter/runtime';
import type { SimulatedCloudProvider } from './create-simulated-cloud-provider.ts';

const EVERY_MS = 1_000;

/**
 * Reports machines to core that the simulated cloud accepted and failed to create. The cloud lists them until they are
 * deleted, so a process that has just started reports them too.
 */
export const simulatedFailures = (
  cloud: Pick<SimulatedCloudProvider, 'lateFailures'>,
  kube: Pick<KubeClient, 'patch'>,
): SingletonController => ({
  name: 'simulated.failures',
  async reconcile({ signal }) {
    for (const failure of cloud.lateFailures) await reportFailedLaunch(kube, failure, { signal });
    return requeueAfter(EVERY_MS);
  },
});
