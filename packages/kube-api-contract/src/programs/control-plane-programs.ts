import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kubeconfigOf } from '@karpenter/runtime/kubeconfig';
import { type ApiProgramOptions, type ApiPrograms, gateFlags, startApiPrograms } from './api-programs.ts';
import { freePort } from './free-port.ts';
import { type Flags, type Program, startProgram } from './program.ts';

/** A whole control plane of Kubernetes on loopback. */
export interface ControlPlanePrograms extends ApiPrograms {
  /** A file; its user may do everything. */
  readonly kubeconfigPath: string;
  readonly controllerManager: Program;
  readonly scheduler: Program;
}

/** What a control plane is started with beside what it needs. */
export interface ControlPlaneProgramOptions extends ApiProgramOptions {
  /** Of kube-controller-manager and kube-scheduler. */
  readonly controllerFlags?: Flags | undefined;
}

/** What a cloud does, which is not Kubernetes' own. */
const CLOUD_CONTROLLERS = ['service-lb-controller', 'node-route-controller', 'cloud-node-lifecycle-controller'];

/** Starts `etcd`, `kube-apiserver`, `kube-controller-manager` and `kube-scheduler` of the folder `assets`. */
export const startControlPlanePrograms = async (
  assets: string,
  options: ControlPlaneProgramOptions = {},
): Promise<ControlPlanePrograms> => {
  await using started = new AsyncDisposableStack();
  const api = started.use(await startApiPrograms(assets, options));
  const { folder } = api;
  const kubeconfigPath = join(folder, 'kubeconfig');
  await writeFile(kubeconfigPath, kubeconfigOf({ ...api, name: 'real' }), { mode: 0o600 });
  const start = async (name: string, own: Flags): Promise<Program> => {
    const address = { 'bind-address': '127.0.0.1', 'secure-port': await freePort() };
    const shared = { kubeconfig: kubeconfigPath, ...address, 'leader-elect': false, ...gateFlags(options), ...options.controllerFlags };
    return started.use(startProgram({ path: join(assets, name), logPath: join(folder, `${name}.log`) }, { ...shared, ...own }));
  };
  const controllerManager = await start('kube-controller-manager', {
    'service-account-private-key-file': join(folder, 'sa.key'),
    // Pods mount it; without it a kubelet starts none.
    'root-ca-file': join(folder, 'apiserver.crt'),
    controllers: ['*', ...CLOUD_CONTROLLERS.map((name) => `-${name}`)].join(','),
  });
  const scheduler = await start('kube-scheduler', {});
  const running = started.move();
  return { ...api, kubeconfigPath, controllerManager, scheduler, [Symbol.asyncDispose]: () => running.disposeAsync() };
};
