import type { StoryCluster } from './story-cluster.ts';

/** Whether the kubelet reports that the pod runs. True while it terminates. */
export const isInPhaseRunning = ({ status }: { readonly status?: { readonly phase?: string } }): boolean => status?.phase === 'Running';

/** How many pods of the story run. */
export const runningPodCount = async (story: StoryCluster): Promise<number> => (await story.pods()).filter(isInPhaseRunning).length;

/** The provider IDs of all machines of the story's cloud. */
export const providerIdsOf = async (story: StoryCluster): Promise<readonly string[]> =>
  (await story.cloud.list({ signal: new AbortController().signal })).map(({ providerId }) => providerId).sort();
