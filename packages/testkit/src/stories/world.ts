import { nodeClaimCrd, nodePoolCrd } from '@karpenter/core';
import { createKubeClient, createTransport, eventKind, fakeClock, kindTable } from '@karpenter/runtime';
import type { FakeClock, KubeClient, ResourceKind, Transport } from '@karpenter/runtime';
import {
  createKubeletHost,
  createSimulatedCloudProvider,
  SIMULATED_NODE_CLASS_CRD,
  simulatedNodeClassKind,
  startApiServer,
  startControlPlane,
  startNodeClassReadiness,
} from '@karpenter/simulator';
import type { ApiServer, SimulatedCloudProvider } from '@karpenter/simulator';

const namespaced = (group: string, kind: string, plural: string): ResourceKind => ({
  group,
  version: 'v1',
  kind,
  plural,
  namespaced: true,
});
const clusterScoped = (group: string, kind: string, plural: string): ResourceKind => ({
  group,
  version: 'v1',
  kind,
  plural,
  namespaced: false,
});

const kinds = kindTable([
  namespaced('', 'Pod', 'pods'),
  namespaced('', 'PersistentVolumeClaim', 'persistentvolumeclaims'),
  namespaced('apps', 'DaemonSet', 'daemonsets'),
  namespaced('apps', 'Deployment', 'deployments'),
  namespaced('policy', 'PodDisruptionBudget', 'poddisruptionbudgets'),
  clusterScoped('', 'Node', 'nodes'),
  clusterScoped('', 'Namespace', 'namespaces'),
  clusterScoped('storage.k8s.io', 'VolumeAttachment', 'volumeattachments'),
  clusterScoped('karpenter.sh', 'NodePool', 'nodepools'),
  clusterScoped('karpenter.sh', 'NodeClaim', 'nodeclaims'),
  { ...simulatedNodeClassKind, namespaced: false },
  eventKind,
]);

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

/** The cluster without Karpenter: API server, control plane, kubelets, and the simulated cloud. */
export interface World extends AsyncDisposable {
  readonly clock: FakeClock;
  readonly kube: KubeClient;
  readonly cloud: SimulatedCloudProvider;
  readonly api: ApiServer;
  readonly traffic: Traffic;
}

/** Starts it. */
export const startWorld = async (): Promise<World> => {
  const clock = fakeClock(Date.UTC(2026, 5, 1));
  const api = await startApiServer({ clock });
  api.installCrds(...[nodePoolCrd, nodeClaimCrd].map((crd) => JSON.stringify(crd)), SIMULATED_NODE_CLASS_CRD);
  const { local } = api;
  const kubelets = createKubeletHost({ api: local, clock });
  const cloud = createSimulatedCloudProvider({ local, kubelets, clock });
  const parts = [startControlPlane({ api: local, clock, cloud: cloud.cloud }), startNodeClassReadiness(local, clock), kubelets];
  const traffic = new Traffic();
  const transport = createTransport({ server: api.url, tls: {} }, { clock, qps: 10_000, burst: 10_000 });
  const stop = async (): Promise<void> => {
    for (const part of parts) part[Symbol.dispose]();
    await transport.close();
    await api.close();
  };
  return { clock, api, cloud, traffic, kube: createKubeClient(traffic.counted(transport), kinds), [Symbol.asyncDispose]: stop };
};
