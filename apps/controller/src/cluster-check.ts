import { StartError } from '@karpenter/core/provider-kit';
import { type KubeClient, KubeError } from '@karpenter/runtime';

const meaningOf = (error: KubeError, kind: string, server: string): string => {
  switch (error.code) {
    case 'not-found':
      return `the API server at ${server} does not serve ${kind}; apply apps/controller/chart-crds/templates first`;
    case 'unauthorized':
      return `the API server at ${server} refused the credentials: ${error.message}`;
    case 'forbidden':
      return `a role is missing at ${server}: ${error.message}`;
    default:
      return `the API server at ${server} does not answer: ${error.message}`;
  }
};

/** What to check, and where. */
export interface ClusterCheck {
  readonly client: KubeClient;
  readonly server: string;
  /** Kinds that CustomResourceDefinitions must have brought. */
  readonly kinds: readonly string[];
  /** Kinds that the API server need not serve, but must not forbid. */
  readonly optionalKinds: readonly string[];
}

/** Asks for one object of each kind. Errors: StartError, which says what is missing. */
export const checkCluster = async (check: ClusterCheck, signal: AbortSignal): Promise<void> => {
  const { client, server, kinds, optionalKinds } = check;
  for (const kind of [...kinds, ...optionalKinds]) {
    try {
      await client.listPage(kind, { limit: 1, signal });
    } catch (error) {
      if (error instanceof KubeError && error.code === 'not-found' && optionalKinds.includes(kind)) continue;
      if (error instanceof KubeError && error.code !== 'aborted') throw new StartError(meaningOf(error, kind, server), { cause: error });
      throw error;
    }
  }
};
