import type { KindTable } from '../../objects/resource-kind.ts';
import { kindCalls } from './kind-calls.ts';
import type { KubeClient } from './kube-client.ts';
import { kubeReader, type PageSizing } from './kube-reader.ts';
import { kubeWriter } from './kube-writer.ts';
import { bindPod, evictPod } from './pod-subresources.ts';
import type { Transport } from '../transport/transport.ts';

/** How a client reads. */
export interface KubeClientOptions {
  /** How large the next page of a list is. `usual` when left out. */
  readonly pages?: () => PageSizing;
}

/** A client for the kinds of `kinds` over `transport`. */
export const createKubeClient = (transport: Transport, kinds: KindTable, { pages = () => 'usual' }: KubeClientOptions = {}): KubeClient => {
  const calls = kindCalls(transport, kinds);
  return {
    ...kubeReader(calls, pages),
    ...kubeWriter(calls),
    bind: (pod, nodeName, options = {}) => bindPod(transport, { pod, nodeName, ...options }),
    evict: (pod, options = {}) => evictPod(transport, pod, options),
  };
};
