import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Flags, startProgram } from '@karpenter/kube-api-contract/programs';
import type { KubeletHost } from '../cluster/kubelet/kubelet-host.ts';
import type { KubeletNode } from '../cluster/kubelet/kubelet-node.ts';
import { amountsOf } from '../cluster/resources/amounts.ts';

export interface HollowKubeletOptions {
  /** `hollow-kubelet`, which `pnpm build:control-plane` builds. */
  readonly program: string;
  readonly kubeconfigPath: string;
  /** For logs and working files. */
  readonly folder: string;
}

const flagsOf = ({ name, labels, arch, capacity, flags }: KubeletNode, { kubeconfigPath, folder }: HollowKubeletOptions): Flags => {
  const { cpu = 0, memory = 0 } = amountsOf(capacity);
  return {
    ...flags,
    ...{ kubeconfig: kubeconfigPath, 'hostname-override': name, 'root-dir': join(folder, name) },
    'node-labels': Object.entries({ ...labels, 'kubernetes.io/arch': arch })
      .map((label) => label.join('='))
      .join(','),
    ...{ 'machine-cpus': Math.floor(cpu / 1000), 'machine-memory': memory },
  };
};

/** Kubelets of Kubernetes over a runtime that starts nothing, each in a process of its own. */
export const hollowKubelets = (options: HollowKubeletOptions): KubeletHost => {
  const running = new Set<() => void>();
  mkdirSync(options.folder, { recursive: true });
  const start = (machine: KubeletNode): Disposable => {
    const kubelet = startProgram(
      { path: options.program, logPath: join(options.folder, `${machine.name}.log`) },
      flagsOf(machine, options),
    );
    const stop = (): void => {
      void kubelet.kill();
      running.delete(stop);
    };
    running.add(stop);
    return { [Symbol.dispose]: stop };
  };
  const stopAll = (): void => {
    for (const stop of running) stop();
  };
  return { start, [Symbol.dispose]: stopAll };
};
