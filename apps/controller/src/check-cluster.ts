import { type KubeClient, KubeError } from '@karpenter/runtime';
import { StartError } from './start-error.ts';

const CHECKED = ['NodePool', 'NodeClaim'];

const meaningOf = (error: KubeError, server: string): string => {
  switch (error.code) {
    case 'not-found':
      return `the API server at ${server} does not serve Karpenter’s kinds; apply apps/controller/chart/crds first`;
    case 'unauthorized':
      return `the API server at ${server} refused the credentials: ${error.message}`;
    case 'forbidden':
      return `a role is missing at ${server}: ${error.message}`;
    default:
      return `the API server at ${server} does not answer: ${error.message}`;
  }
};

/** Asks for one object of each of Karpenter's kinds. Errors: StartError, which says what is missing. */
export const checkCluster = async (client: KubeClient, server: string): Promise<void> => {
  try {
    for (const kind of CHECKED) await client.listPage(kind, { limit: 1 });
  } catch (error) {
    if (error instanceof KubeError) throw new StartError(meaningOf(error, server), { cause: error });
    throw error;
  }
};
