import { karpenterKinds } from '@karpenter/core/controllers';
import { capacityBufferCrd, nodeClaimCrd, nodePoolCrd, rebalancePlanCrd, type TopologySpreadConstraint } from '@karpenter/core/internal';
import {
  createKubeClient,
  createTransport,
  fakeClock,
  type FakeClock,
  kindTable,
  type KubeClient,
  type Transport,
} from '@karpenter/runtime';
import { startApiServer } from '@karpenter/api-server';
import {
  createKubeletHost,
  createSimulatedCloudProvider,
  SIMULATED_NODE_CLASS_CRD,
  simulatedNodeClassKind,
  startControlPlane,
  startNodeClassReadiness,
} from '@karpenter/simulator';
import type { ApiServer } from '@karpenter/api-server';
import type { SimulatedCloudOptions, SimulatedCloudProvider } from '@karpenter/simulator';

const kinds = kindTable([...karpenterKinds, { ...simulatedNodeClassKind, namespaced: false }]);

/** How many requests are on their way; watches, which never end, do not count. */
class Traffic {
  #underway = 0;

  get isQuiet(): boolean {
    return this.#underway === 0;
  }

  counted(transport: Transport): Transport {
    return {
      ...transport,
      send: async (request) => {
        this.#underway += 1;
        try {
          return await transport.send(request);
        } finally {
          this.#underway -= 1;
        }
      },
    };
  }
}

const noticed = (transport: Transport, onAnswer: (() => void) | undefined): Transport => ({
  ...transport,
  send: (request) => transport.send(request).finally(onAnswer),
});

/** The cluster without Karpenter: API server, control plane, kubelets, and the simulated cloud. */
export interface StoryWorld extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly kube: KubeClient;
  readonly cloud: SimulatedCloudProvider;
  readonly api: ApiServer;
  readonly traffic: Traffic;
  /** Another client, all of whose calls go through what is put in their way. `onAnswer` is called with each answer. */
  connect(through: (transport: Transport) => Transport, onAnswer?: () => void): KubeClient;
}

/**
 * Starts it. Its scheduler spreads pods by these constraints where they ask for none; `cloudOptions`: what its cloud
 * sells, and whether it launches several claims by one call.
 */
export const startWorld = async (
  defaultSpread: readonly TopologySpreadConstraint[] = [],
  cloudOptions: Pick<SimulatedCloudOptions, 'batch' | 'instanceTypes'> = {},
): Promise<StoryWorld> => {
  const clock = fakeClock(Date.UTC(2026, 5, 1));
  const api = await startApiServer({ clock });
  api.installCrds(
    ...[nodePoolCrd, nodeClaimCrd, capacityBufferCrd, rebalancePlanCrd].map((crd) => JSON.stringify(crd)),
    SIMULATED_NODE_CLASS_CRD,
  );
  const { local } = api;
  const kubelets = createKubeletHost({ api: local, clock });
  const cloud = createSimulatedCloudProvider({ local, kubelets, clock, ...cloudOptions });
  const parts = [
    startControlPlane({ api: local, clock, cloud: cloud.cloud, defaultSpread }),
    startNodeClassReadiness(local, clock),
    kubelets,
  ];
  const traffic = new Traffic();
  const transport = createTransport({ server: api.url, tls: {} }, { clock, qps: 10_000, burst: 10_000 });
  const stop = async (): Promise<void> => {
    for (const part of parts) part[Symbol.dispose]();
    await transport.close();
    await api.close();
  };
  const counted = traffic.counted(transport);
  return {
    ...{ clock, api, cloud, traffic },
    kube: createKubeClient(counted, kinds),
    connect: (through, onAnswer) => createKubeClient(through(noticed(counted, onAnswer)), kinds),
    [Symbol.asyncDispose]: stop,
  };
};
