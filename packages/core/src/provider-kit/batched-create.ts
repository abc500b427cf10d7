import type { NodeClaim } from '../apis/index.ts';
import type { CloudProvider, CloudProviderError, CreateOptions, Machine } from '../cloudprovider/index.ts';
import type { Clock } from '../ports/index.ts';
import { gatheredCalls } from './gathered-calls.ts';

/** What became of one launch of several. */
export type LaunchAnswer =
  { readonly kind: 'launched'; readonly machine: Machine } | { readonly kind: 'refused'; readonly error: CloudProviderError };

/** An optional ability of a cloud: machines for several claims by one call. */
export interface BatchCreate {
  /** The most claims that one call takes. */
  readonly most: number;
  /** Claims of one key can be launched by one call. Left out: all can. */
  batchKeyOf?(claim: NodeClaim): string;
  /**
   * Launches the machines of claims with different names. One answer for each, in their order; a refusal of one is no
   * reason to fail the others. Guarantees and errors: those of `CloudProvider.create`; what is thrown is the answer to
   * all.
   */
  createAll(claims: readonly NodeClaim[], options: CreateOptions): Promise<readonly LaunchAnswer[]>;
}

/** A claim and what came with it. */
interface Asked {
  readonly claim: NodeClaim;
  readonly options: CreateOptions;
}

export interface BatchPace {
  readonly clock: Clock;
  /** How long a launch waits for another one to come along. */
  readonly idleMs: number;
  /** The longest that a launch waits. */
  readonly maxMs: number;
}

/**
 * `CloudProvider.create` of a cloud that launches by the batch: core asks for each claim by itself, and those that come
 * together go together. A claim that is being launched already is not launched again.
 */
export const batchedCreate = (ability: BatchCreate, pace: BatchPace): CloudProvider['create'] => {
  const underway = new Map<string, Promise<Machine>>();
  const answerTo = gatheredCalls<Asked, LaunchAnswer>({
    ...pace,
    most: ability.most,
    keyOf: ({ claim }) => ability.batchKeyOf?.(claim) ?? '',
    call: (asked, signal) =>
      ability.createAll(
        asked.map(({ claim }) => claim),
        { ...asked[0]?.options, signal },
      ),
  });
  const launch = async (claim: NodeClaim, options: CreateOptions): Promise<Machine> => {
    const answer = await answerTo({ claim, options }, options);
    if (answer.kind === 'refused') throw answer.error;
    return answer.machine;
  };
  return (claim, options) => {
    const { name } = claim.metadata;
    const launching = underway.get(name) ?? launch(claim, options).finally(() => void underway.delete(name));
    underway.set(name, launching);
    return launching;
  };
};
