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

/** A kubelet of Kubernetes over a runtime that starts nothing, for the nodes of those suites; undefined: ours. */
export const hollowKubelet = process.env['KARPENTER_HOLLOW_KUBELET'];

/** A suite on those programs. Skipped where they are not: CI does not build them, which takes ten minutes. */
export const describeWithControlPlane = folder === undefined ? describe.skip : describe;
