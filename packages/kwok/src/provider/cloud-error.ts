import { CloudProviderError } from '@karpenter/core';
import { KubeError } from '@karpenter/runtime';

/** Runs a call to the API server, which is this provider's cloud. Errors: CloudProviderError. */
export const callCloud = async <T>(what: string, call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof KubeError)) throw error;
    const code = error.code === 'forbidden' || error.code === 'unauthorized' ? 'forbidden' : 'network';
    throw new CloudProviderError(code, `${what}: ${error.message}`, { cause: error });
  }
};
