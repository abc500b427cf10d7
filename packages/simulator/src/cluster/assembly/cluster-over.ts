import { readFileSync } from 'node:fs';
import type { ArmEmulator } from '@karpenter/azure-emulator';
import type { Clock } from '@karpenter/runtime';
import { parseAllDocuments } from 'yaml';
import type { ApiServer, ApiObject } from '@karpenter/api-server';
import { DEFAULT_NODE_GRACE_MS, startControlPlane } from '../control-plane.ts';
import { DEFAULT_HEARTBEAT_MS } from '../kubelet/kubelet-delays.ts';
import { metricsServer } from '../housekeeping/metrics-server.ts';
import { createKubeletHost, type KubeletHost } from '../kubelet/kubelet-host.ts';
import { azureEnvironment } from './azure-environment.ts';
import { allClouds, type CloudView } from '../nodes/cloud-view.ts';
import { reportScheduledEvent, type ScheduledEvent } from '../nodes/node-problem-detector.ts';
import type { EmbeddedCluster, EmbeddedClusterOptions } from './embedded-cluster.ts';
import { joinAzure, type JoinedAzure } from './join-azure.ts';
import { startSystemPool } from './system-pool.ts';
import { createSystemWorkloads } from './system-workloads.ts';
import { createWorkingFolder, type WorkingFolder } from './working-folder.ts';

/** YAML text unchanged; the content of a file for anything else, which must be its path. */
const crdText = (source: string): string => (source.includes('\n') ? source : readFileSync(source, 'utf8'));

/** What a cluster is put together from. */
export interface ClusterParts {
  readonly server: ApiServer;
  readonly arm: ArmEmulator | undefined;
  readonly clock: Clock;
}

/** On a fast clock kubelets beat at most this often in real time, or thousands of them would do nothing else. */
const LEAST_REAL_HEARTBEAT_MS = 1_000;
/** A busy process is late with heartbeats in real time, however fast its clock runs. */
const LEAST_REAL_GRACE_MS = 10_000;
const DEFAULT_POOL = { count: 2 };

const createAll = ({ server }: ClusterParts, yaml: string): void => {
  for (const document of parseAllDocuments(yaml)) {
    const object = document.toJS() as ApiObject | null;
    if (object !== null) server.local.create(object);
  }
};

interface Machines {
  readonly kubelets: KubeletHost;
  readonly clouds: CloudView[];
  readonly azure: JoinedAzure | undefined;
}

const startMachines = ({ server, arm, clock }: ClusterParts, options: EmbeddedClusterOptions, heartbeatMs: number): Machines => {
  const { systemPool = DEFAULT_POOL, delays } = options;
  const kubelets = createKubeletHost({ api: server.local, clock, delays, heartbeatMs });
  const onScheduledEvent = (event: ScheduledEvent): void => {
    reportScheduledEvent(server.local, clock, event);
  };
  const azure = arm === undefined ? undefined : joinAzure({ arm, kubelets, onScheduledEvent });
  const clouds = azure === undefined ? [] : [azure.cloud];
  if (systemPool !== false) {
    createSystemWorkloads(server.local);
    clouds.push(startSystemPool(systemPool, kubelets, arm?.account.location ?? 'nowhere'));
  }
  return { kubelets, clouds, azure };
};

const variablesOf = ({ server, arm }: ClusterParts, folder: WorkingFolder, kubeconfigPath: string): Readonly<Record<string, string>> => ({
  ...{ KUBECONFIG: kubeconfigPath, SYSTEM_NAMESPACE: 'kube-system' },
  ...(arm === undefined ? {} : azureEnvironment(arm, server.url, folder)),
});

/** Puts a cluster together around an API server, and an Azure if there is one. Stopping it stops both. */
export const clusterOver = (parts: ClusterParts, options: EmbeddedClusterOptions): EmbeddedCluster => {
  const { server, arm, clock } = parts;
  const { speed = 1 } = options;
  const heartbeatMs = Math.max(DEFAULT_HEARTBEAT_MS, LEAST_REAL_HEARTBEAT_MS * speed);
  const nodeGraceMs = Math.max(DEFAULT_NODE_GRACE_MS, LEAST_REAL_GRACE_MS * speed);
  const folder = createWorkingFolder();
  server.installCrds(...(options.crds ?? []).map(crdText));
  const { kubelets, clouds, azure } = startMachines(parts, options, heartbeatMs);
  const controlPlane = startControlPlane({ api: server.local, clock, cloud: allClouds(clouds), nodeGraceMs });
  server.aggregate(metricsServer(server.local, clock));
  const kubeconfigPath = folder.write('kubeconfig', server.kubeconfig());
  const variables = variablesOf(parts, folder, kubeconfigPath);
  const stop = async (): Promise<void> => {
    for (const part of [azure, controlPlane, kubelets]) part?.[Symbol.dispose]();
    await Promise.all([server.close(), arm?.close()]);
    folder[Symbol.dispose]();
  };
  return {
    ...{
      apiUrl: server.url,
      kubeconfigPath,
      local: server.local,
      clock,
      faults: server.faults,
      access: server.access,
      kubelets,
      arm,
      stop,
    },
    upgrade: (version) => {
      server.upgrade(version);
    },
    kubeconfig: () => server.kubeconfig(),
    failedBootstraps: azure?.failedBootstraps ?? [],
    bootstraps: azure?.bootstraps ?? new Map(),
    environment: () => variables,
    addCloud: (cloud) => void clouds.push(cloud),
    create: (yaml) => createAll(parts, yaml),
    [Symbol.asyncDispose]: stop,
  };
};
