import { rebalanceAnswer } from '../answer/rebalance-answer.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { rebalanceText } from '../render/rebalance-text.ts';
import { type SourceFlags, withCluster, writeAnswer } from './source-options.ts';
import type { World } from './world.ts';

export interface RebalanceFlags extends SourceFlags {
  readonly maxMoves?: number;
}

/** No further set of nodes is tried after that. */
const LOOK_MS = 20_000;

/** `karpenter rebalance`. */
export const runRebalance = (flags: RebalanceFlags, world: World): Promise<ExitCode> =>
  withCluster(flags, world, async ({ snapshot, policy }) => {
    const nowMs = world.clock.now();
    const shouldStop = (): boolean => world.clock.now() - nowMs > LOOK_MS;
    const answer = rebalanceAnswer(await snapshot(), { policy, nowMs, shouldStop }, flags.maxMoves ?? Number.POSITIVE_INFINITY);
    writeAnswer(answer, { flags, world, text: (each) => rebalanceText(each, world.out) });
    return EXIT.ok;
  });
