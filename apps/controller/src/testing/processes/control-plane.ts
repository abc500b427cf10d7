import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from '@jest/globals';

const folder = process.env['KARPENTER_CONTROL_PLANE'];

/**
 * A folder with `etcd`, `kube-apiserver`, `kube-controller-manager` and `kube-scheduler`: CONTRIBUTING.md says how to
 * build them. Empty where nobody names one.
 */
export const controlPlane = folder ?? '';

if (folder === undefined) {
  process.stderr.write('KARPENTER_CONTROL_PLANE names no folder: the suites of a real control plane cannot run here\n');
}

const builtKubelet = join(controlPlane, 'hollow-kubelet');

/**
 * A kubelet of Kubernetes over a runtime that starts nothing, for the nodes of those suites. It stands beside the other
 * programs. Undefined: it was not built, and the simulator's kubelets stand in.
 */
export const hollowKubelet = folder !== undefined && existsSync(builtKubelet) ? builtKubelet : undefined;

if (folder !== undefined && hollowKubelet === undefined) {
  process.stderr.write(`${builtKubelet} is not there: the nodes of the real control plane have the simulator's kubelets\n`);
}

/** A suite on those programs. Skipped where they are not: CI does not build them, which takes ten minutes. */
export const describeWithControlPlane = folder === undefined ? describe.skip : describe;
