import {
  type CloudProvider,
  CloudProviderError,
  defaultLabelCatalog,
  type DeleteOutcome,
  type Machine,
  type NodeClaim,
} from '@karpenter/core';
import type { CloudProviderErrorCode } from '@karpenter/core/internal';
import { catalogEntry, simulatedNodeClassKind } from '@karpenter/simulator';
import type { SimulatedInstanceType } from '@karpenter/simulator';
import type { Answers, Ask } from './rpc.ts';
import { RpcError } from './rpc.ts';

const { signal } = new AbortController();

/** What the process that holds the cloud answers to a `remoteCloud` in another. */
export const cloudAnswers = (cloud: CloudProvider): Answers => ({
  create: (claim: NodeClaim) => cloud.create(claim, { signal }),
  delete: (claim: NodeClaim) => cloud.delete(claim, { signal }),
  get: (providerId: string) => cloud.get(providerId, { signal }),
  list: () => cloud.list({ signal }),
  isDrifted: (claim: NodeClaim) => cloud.isDrifted(claim, { signal }),
});

/** A provider whose machines are in another process, with the sizes it sells. */
export const remoteCloud = (ask: Ask, types: readonly SimulatedInstanceType[]): CloudProvider => {
  const catalog = types.map((type) => catalogEntry(type, () => true));
  const asked = async <T>(method: string, argument?: unknown): Promise<T> => {
    try {
      return (await ask(method, argument)) as T;
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      throw new CloudProviderError(error.code as CloudProviderErrorCode, error.message, { cause: error });
    }
  };
  return {
    ...{ name: 'remote', getSupportedNodeClasses: () => [simulatedNodeClassKind], labelCatalog: defaultLabelCatalog, repairPolicies: [] },
    create: (claim) => asked<Machine>('create', claim),
    delete: (claim) => asked<DeleteOutcome>('delete', claim),
    get: (providerId) => asked<Machine | undefined>('get', providerId),
    list: () => asked<readonly Machine[]>('list'),
    getInstanceTypes: () => Promise.resolve(catalog),
    isDrifted: (claim) => asked<string | undefined>('isDrifted', claim),
  };
};
