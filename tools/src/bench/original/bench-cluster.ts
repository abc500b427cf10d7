import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { karpenterKinds } from '@karpenter/core/controllers';
import { kwokNodeClassKind } from '@karpenter/kwok';
import { createKubeClient, createTransport, type KubeClient, kindTable, systemClock } from '@karpenter/runtime';
import { type ControlPlanePrograms, startControlPlanePrograms, startProgram } from '@karpenter/kube-api-contract/programs';
import { crdKind, installCrds } from '@karpenter/simulator/real-cluster';
import type { ContestantCluster } from './contestant.ts';
import { writePodCredentials } from './pod-credentials.ts';
import type { Programs } from './programs.ts';

const USER = 'karpenter';
const TOKEN = 'bench-karpenter';

/** Every request of the controller under test, and of nobody else. */
const AUDIT_POLICY = `
apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived, ResponseStarted]
rules:
  - { level: Metadata, users: [${USER}] }
  - { level: None }
`;

/** A fresh control plane with kwok, for one run of one controller. */
export interface BenchCluster extends AsyncDisposable {
  readonly client: KubeClient;
  /** Of the controller under test. */
  readonly access: ContestantCluster;
  /** Requests of the controller under test so far. */
  audited(): readonly AuditedRequest[];
}

/** One line of the audit log, as far as it is read. */
export interface AuditedRequest {
  readonly verb: string;
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string };
  readonly responseStatus?: { readonly code?: number };
}

const connectedTo = ({ url, ca, token }: ControlPlanePrograms) => {
  const credentials = { headers: () => Promise.resolve({ authorization: `Bearer ${token}` }), refresh: () => Promise.resolve() };
  return createTransport({ server: url, tls: { ca }, credentials }, { clock: systemClock, qps: 500, burst: 1000, userAgent: 'bench' });
};

const kinds = [
  ...karpenterKinds,
  { ...kwokNodeClassKind, namespaced: false },
  { group: 'apps', version: 'v1', kind: 'Deployment', plural: 'deployments', namespaced: true },
  crdKind,
];

/** Requests to the API server. */
export interface RequestRates {
  readonly perSecond: number;
  readonly burst: number;
}

/** A control plane to compare controllers on. */
export interface BenchClusterOptions {
  /** CustomResourceDefinitions as YAML. */
  readonly crds: readonly string[];
  /** Of kube-controller-manager and kube-scheduler, each. Default: their own, 20 and 50 a second. */
  readonly rates?: RequestRates | undefined;
}

const linesOf = (folder: string): readonly string[] =>
  // The API server begins another file after 100 MB.
  readdirSync(folder)
    .filter((name) => /^audit.*\.log$/.test(name))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'));

/** Starts the programs, installs the definitions, and starts kwok. */
export const startBenchCluster = async (programs: Programs, { crds, rates }: BenchClusterOptions): Promise<BenchCluster> => {
  await using started = new AsyncDisposableStack();
  const controllerFlags = rates === undefined ? {} : { 'kube-api-qps': rates.perSecond, 'kube-api-burst': rates.burst };
  const options = { users: { [USER]: TOKEN }, auditPolicy: AUDIT_POLICY, controllerFlags };
  const api = started.use(await startControlPlanePrograms(programs.controlPlane, options));
  const transport = connectedTo(api);
  started.defer(() => transport.close());
  const client = createKubeClient(transport, kindTable(kinds));
  await installCrds(client, crds);
  const kubeconfigPath = join(api.folder, 'karpenter.kubeconfig');
  writeFileSync(kubeconfigPath, readFileSync(api.kubeconfigPath, 'utf8').replace(api.token, TOKEN), { mode: 0o600 });
  const access = { kubeconfigPath, pod: writePodCredentials(join(api.folder, 'pod'), { ...api, token: TOKEN }) };
  const kwok = { path: programs.kwok, logPath: join(api.folder, 'kwok.log') };
  started.use(
    startProgram(kwok, {
      kubeconfig: api.kubeconfigPath,
      cidr: '10.0.0.1/16',
      'manage-all-nodes': false,
      'manage-nodes-with-annotation-selector': 'kwok.x-k8s.io/node=fake',
      'node-lease-duration-seconds': 40,
    }),
  );
  const running = started.move();
  const audited = (): readonly AuditedRequest[] =>
    linesOf(api.folder)
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as AuditedRequest);
  return { client, access, audited, [Symbol.asyncDispose]: () => running.disposeAsync() };
};
