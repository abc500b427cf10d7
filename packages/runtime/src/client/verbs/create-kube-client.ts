import type { KindTable } from '../../objects/resource-kind.ts';
import { kindCalls } from './kind-calls.ts';
import type { KubeClient } from './kube-client.ts';
import { kubeReader } from './kube-reader.ts';
import { kubeWriter } from './kube-writer.ts';
import { bindPod, evictPod } from './pod-subresources.ts';
import type { Transport } from '../transport/transport.ts';

/** A client for the kinds of `kinds` over `transport`. */
export const createKubeClient = (transport: Transport, kinds: KindTable): KubeClient => {
  const calls = kindCalls(transport, kinds);
  return {
    ...kubeReader(calls),
    ...kubeWriter(calls),
    bind: (pod, nodeName, options = {}) => bindPod(transport, { pod, nodeName, ...options }),
    evict: (pod, options = {}) => evictPod(transport, pod, options),
  };
};
