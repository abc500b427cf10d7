import type { RawKubeClient } from './kube-client.ts';

/** What the cases of the suite work with: a client, and a namespace of their own. */
export interface SuiteStage {
  readonly client: RawKubeClient;
  readonly namespace: string;
}
