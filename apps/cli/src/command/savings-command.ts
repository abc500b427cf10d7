import { savingsAnswer } from '../answer/savings-answer.ts';
import { COMMAND_EXIT, type CommandExitCode } from '../exit-code.ts';
import { savingsText } from '../render/savings-text.ts';
import { type SourceFlags, withCluster, writeAnswer } from './source-options.ts';
import type { World } from './world.ts';

/** A large cluster is not evaluated for longer. */
const SEARCH_MS = 20_000;

/** `karpenter savings`. */
export const runSavings = (flags: SourceFlags, world: World): Promise<CommandExitCode> =>
  withCluster(flags, world, async ({ snapshot, policy }) => {
    const nowMs = world.clock.now();
    const shouldStop = (): boolean => world.clock.now() - nowMs > SEARCH_MS;
    const answer = savingsAnswer(await snapshot(), { policy, nowMs, shouldStop });
    writeAnswer(answer, { flags, world, text: (each) => savingsText(each, world.out) });
    return COMMAND_EXIT.ok;
  });
