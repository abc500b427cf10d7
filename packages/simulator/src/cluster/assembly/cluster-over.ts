import type { Clock } from '@karpenter/runtime';
import { parseAllDocuments } from 'yaml';
import type { ArmEmulator } from '../../arm/index.ts';
import type { ApiServer, KubeObject } from '../../api/door/index.ts';
import { together } from '../control/deps.ts';
import { startControlPlane } from '../control-plane.ts';
import { createKubeletHost } from '../kubelet/kubelet-host.ts';
import { azureEnvironment } from './azure-environment.ts';
import { crdText } from './crd-sources.ts';
import type { EmbeddedCluster, EmbeddedClusterOptions } from './embedded-cluster.ts';
import { ensureNamespaces } from './ensure-namespaces.ts';
import { joinAzure } from './join-azure.ts';
import { startSystemPool } from './system-pool.ts';
import { createSystemWorkloads } from './system-workloads.ts';
import { createWorkingFolder } from './working-folder.ts';

/** What a cluster is put together from. */
export interface ClusterParts {
  readonly server: ApiServer;
  readonly arm: ArmEmulator | undefined;
  readonly clock: Clock;
}

const HEARTBEAT_MS = 10_000;
/** On a fast clock kubelets beat at most this often in real time, or thousands of them would do nothing else. */
const LEAST_REAL_HEARTBEAT_MS = 1_000;
const MISSED_BEATS = 4;
const DEFAULT_POOL = { count: 2 };

const createAll = ({ server }: ClusterParts, yaml: string): void => {
  for (const document of parseAllDocuments(yaml)) {
    const object = document.toJS() as KubeObject | null;
    if (object !== null) server.local.create(object);
  }
};

/** Puts a cluster together around an API server, and an Azure if there is one. Stopping it stops both. */
export const clusterOver = (parts: ClusterParts, options: EmbeddedClusterOptions): EmbeddedCluster => {
  const { server, arm, clock } = parts;
  const { systemPool = DEFAULT_POOL, speed = 1, delays } = options;
  const folder = createWorkingFolder();
  const api = server.local;
  server.installCrds(...(options.crds ?? []).map(crdText));
  ensureNamespaces(api);
  const heartbeatMs = Math.max(HEARTBEAT_MS, LEAST_REAL_HEARTBEAT_MS * speed);
  const kubelets = createKubeletHost({ api, clock, delays, heartbeatMs });
  const azure = arm === undefined ? undefined : joinAzure(arm, kubelets);
  const location = arm?.account.location ?? 'nowhere';
  const cloud = systemPool === false ? azure?.cloud : startSystemPool(systemPool, kubelets, location)(azure?.cloud);
  if (systemPool !== false) createSystemWorkloads(api);
  const controlPlane = startControlPlane({ api, clock, cloud, nodeGraceMs: heartbeatMs * MISSED_BEATS });
  const kubeconfigPath = folder.write('kubeconfig', server.kubeconfig());
  const azureVariables = arm === undefined ? {} : azureEnvironment(arm, server.url, folder);
  const inner = together(...(azure === undefined ? [] : [azure]), controlPlane, kubelets);

  const stop = async (): Promise<void> => {
    inner[Symbol.dispose]();
    await Promise.all([server.close(), arm?.close()]);
    folder[Symbol.dispose]();
  };
  return {
    ...{ apiUrl: server.url, kubeconfigPath, local: api, clock, faults: server.faults, kubelets, arm, stop },
    kubeconfig: () => server.kubeconfig(),
    failedBootstraps: azure?.failedBootstraps ?? [],
    environment: () => ({ KUBECONFIG: kubeconfigPath, SYSTEM_NAMESPACE: 'kube-system', ...azureVariables }),
    create: (yaml) => createAll(parts, yaml),
    [Symbol.asyncDispose]: stop,
  };
};
