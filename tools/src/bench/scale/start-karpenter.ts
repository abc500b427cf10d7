import { defaultSchedulingPolicy } from '@karpenter/core';
import type { CloudProvider } from '@karpenter/core';
import { createKarpenter, followKinds, karpenterKinds } from '@karpenter/core/controllers';
import type { Caches, ClusterState, Metrics } from '@karpenter/core/controllers';
import { createEventRecorder, createKubeClient, createManager, createTransport, kindTable, silentLogger } from '@karpenter/runtime';
import type { Clock, FinishedRequest } from '@karpenter/runtime';
import type { Traffic } from './traffic.ts';

const unmeasured: Metrics = {
  counter: () => ({ increment: () => undefined }),
  gauge: () => ({ set: () => undefined }),
  histogram: () => ({ observe: () => undefined }),
};

/** What Karpenter is started with. */
export interface Surroundings {
  readonly server: string;
  readonly clock: Clock;
  readonly provider: CloudProvider | ((caches: Caches) => CloudProvider);
  readonly traffic: Traffic;
  readonly onRequest?: (finished: FinishedRequest) => void;
}

/** A Karpenter that runs until its process ends. */
export interface RunningKarpenter {
  readonly caches: Caches;
  readonly state: ClusterState;
}

/** Starts all controllers over an API server, as the app does: the same caches, the same loops, the same rate of requests. */
export const startKarpenter = ({ server, clock, provider, traffic, onRequest }: Surroundings): RunningKarpenter => {
  const nodeClass = { group: 'karpenter.simulated.test', version: 'v1', kind: 'SimulatedNodeClass', plural: 'simulatednodeclasses' };
  const transport = createTransport({ server, tls: {} }, { clock, ...(onRequest === undefined ? {} : { onRequest }) });
  const client = createKubeClient(traffic.counted(transport), kindTable([...karpenterKinds, { ...nodeClass, namespaced: false }]));
  const { caches, all } = followKinds({ client, clock }, [nodeClass]);
  const karpenter = createKarpenter({
    ...{ kube: client, caches, clock, metrics: unmeasured, logger: silentLogger, policy: defaultSchedulingPolicy },
    provider: typeof provider === 'function' ? provider(caches) : provider,
    events: createEventRecorder({ client, clock, logger: silentLogger, component: 'karpenter', instance: 'bench' }),
  });
  const onBug = (error: unknown): void => {
    throw error;
  };
  const manager = createManager({
    ...{ clock, logger: silentLogger, caches: all, onBug },
    controllers: karpenter.controllers,
    singletons: karpenter.singletons,
  });
  void manager.run(new AbortController().signal);
  return { caches, state: karpenter.state };
};
