import type { DeleteOutcome, InstanceType, Machine, NodeClaim } from '@karpenter/core';
import type { TypesAsPlanned } from '@karpenter/core/internal';
import type { ProviderUnderTest } from './provider-under-test.ts';

const { signal } = new AbortController();
/** More calls than any cloud needs. */
const MOST_POLLS = 200;

/** The calls to a provider under test, each run to its end. */
export const callsTo = ({ provider, nodePool, run }: ProviderUnderTest) => {
  const remove = (claim: NodeClaim): Promise<DeleteOutcome> => run(() => provider.delete(claim, { signal }));
  return {
    launch: (claim: NodeClaim): Promise<Machine> => run(() => provider.create(claim, { signal })),
    launchAsPlanned: (claim: NodeClaim, asPlanned: TypesAsPlanned): Promise<Machine> =>
      run(() => provider.create(claim, { signal, asPlanned })),
    find: (providerId: string): Promise<Machine | undefined> => run(() => provider.get(providerId, { signal })),
    list: (): Promise<readonly Machine[]> => run(() => provider.list({ signal })),
    types: (): Promise<readonly InstanceType[]> => run(() => provider.getInstanceTypes(nodePool, { signal })),
    driftOf: (claim: NodeClaim): Promise<string | undefined> => run(() => provider.isDrifted(claim, { signal })),
    remove,
    /** Everything that was answered until the machine was gone. */
    removeFully: async (claim: NodeClaim): Promise<readonly DeleteOutcome[]> => {
      const answers: DeleteOutcome[] = [];
      while (answers.at(-1) !== 'gone' && answers.length < MOST_POLLS) answers.push(await remove(claim));
      return answers;
    },
  };
};
