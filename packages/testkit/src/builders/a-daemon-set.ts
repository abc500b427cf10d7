import type { DaemonSet, PodSpec } from '@karpenter/core/internal';
import type { PodTrait } from './a-pod.ts';
import { aPod } from './a-pod.ts';

/** A DaemonSet whose pods have these traits. */
export const aDaemonSet = (name: string, ...traits: readonly PodTrait[]): DaemonSet => {
  const spec: PodSpec = aPod(...traits).spec;
  return { metadata: { name, namespace: 'kube-system', uid: `daemonset-${name}` }, spec: { template: { spec } } };
};
