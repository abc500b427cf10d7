import type { KubeClient } from './kube-client.ts';

/** What the cases of the suite work with: a client, and a namespace of their own. */
export interface Stage {
  readonly client: KubeClient;
  readonly namespace: string;
}
