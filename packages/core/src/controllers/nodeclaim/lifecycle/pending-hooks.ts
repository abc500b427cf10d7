import type { NodeClaim } from '../../../apis/index.ts';
import type { CloudProvider } from '../../../cloudprovider/index.ts';

/** Hooks that are not satisfied yet, and when to ask them again. */
export interface PendingHooks {
  readonly names: readonly string[];
  readonly inMs: number;
}

const ASK_AGAIN_MS = 1000;

/** The hooks that are not satisfied yet. All are asked concurrently, each time. */
export const pendingHooks = async (
  { registrationHooks = [] }: Pick<CloudProvider, 'registrationHooks'>,
  claim: NodeClaim,
  signal: AbortSignal,
): Promise<PendingHooks> => {
  const answers = await Promise.all(
    registrationHooks.map(async (hook) => ({ name: hook.name, answer: await hook.check(claim, { signal }) })),
  );
  const waiting = answers.flatMap(({ name, answer }) => (answer.kind === 'waiting' ? [{ name, inMs: answer.inMs ?? ASK_AGAIN_MS }] : []));
  return { names: waiting.map(({ name }) => name).sort(), inMs: Math.min(...waiting.map(({ inMs }) => inMs)) };
};
