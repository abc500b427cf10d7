import type { RebalancePlan } from '@karpenter/core/internal';
import { type RebalanceAnswer, rebalanceAnswer } from '../answer/rebalance-answer.ts';
import { CommandError, COMMAND_EXIT, type CommandExitCode } from '../exit-code.ts';
import { rebalanceText } from '../render/rebalance-text.ts';
import { type SourceFlags, withCluster, writeAnswer } from './source-options.ts';
import type { World } from './world.ts';

export interface RebalanceFlags extends SourceFlags {
  readonly maxMoves?: number;
  /** Creates a RebalancePlan. */
  readonly apply?: boolean;
  readonly name?: string;
  /** Dollars an hour. */
  readonly targetSavings?: string;
}

/** No further set of nodes is tried after that. */
const SEARCH_MS = 20_000;

/** The waves as they would be now. */
const ask = (flags: RebalanceFlags, world: World): Promise<RebalanceAnswer> =>
  withCluster(flags, world, async ({ snapshot, policy }) => {
    const nowMs = world.clock.now();
    const shouldStop = (): boolean => world.clock.now() - nowMs > SEARCH_MS;
    return rebalanceAnswer(await snapshot(), { policy, nowMs, shouldStop }, flags.maxMoves ?? Number.POSITIVE_INFINITY);
  });

const planOf = ({ maxMoves, targetSavings }: RebalanceFlags, name: string): RebalancePlan => ({
  apiVersion: 'karpenter.sh/v1alpha1',
  kind: 'RebalancePlan',
  metadata: { name },
  spec: {
    ...(maxMoves === undefined ? {} : { maxMoves }),
    ...(targetSavings === undefined ? {} : { targetSavingsPerHour: targetSavings }),
  },
});

/** A plan that was created. */
interface AppliedPlan {
  readonly plan: RebalancePlan;
  /** Whether a controller has taken it up. */
  readonly isTakenUp: boolean;
  readonly text: string;
}

/** Lets the controller of the cluster carry the waves out. */
const apply = async (flags: RebalanceFlags, world: World): Promise<AppliedPlan> => {
  const { applyText, createRebalancePlan, planNameAt } = await import('./apply-rebalance.ts');
  const plan = planOf(flags, flags.name ?? planNameAt(world.clock.now()));
  const isTakenUp = await createRebalancePlan(flags, plan, world);
  return { plan, isTakenUp, text: applyText(plan, isTakenUp) };
};

const checkFlags = ({ apply: isApplied = false, from, name, targetSavings }: RebalanceFlags): void => {
  if (isApplied && from !== undefined) throw new CommandError(COMMAND_EXIT.usage, '--apply needs a live cluster: --from reads files');
  if (!isApplied && (name !== undefined || targetSavings !== undefined))
    throw new CommandError(COMMAND_EXIT.usage, '--name and --target-savings say something only with --apply');
};

/** `karpenter rebalance`. */
export const runRebalance = async (flags: RebalanceFlags, world: World): Promise<CommandExitCode> => {
  checkFlags(flags);
  const answer = await ask(flags, world);
  const applied = flags.apply === true && answer.waves.length > 0 ? await apply(flags, world) : undefined;
  const whole = applied === undefined ? answer : { ...answer, applied: applied.plan.metadata.name, isTakenUp: applied.isTakenUp };
  writeAnswer(whole, {
    flags,
    world,
    text: (each) => `${rebalanceText(each, world.out)}${applied === undefined ? '' : `\n${applied.text}`}`,
  });
  return applied?.isTakenUp === false ? COMMAND_EXIT.negative : COMMAND_EXIT.ok;
};
