import { CloudProviderError } from '@karpenter/core';
import type { Counter } from '@karpenter/core/controllers';
import type { reportFailedLaunch } from '@karpenter/core/provider-kit';
import type { Logger } from '@karpenter/runtime';
import { ArmError } from '../../arm/arm-error.ts';
import { cloudProviderErrorOf } from '../../arm/error-codes/cloud-provider-error-of.ts';
import { type FailedLaunchAttempt, type LaunchVerdict, launchVerdictOf } from '../../arm/error-codes/launch-verdict.ts';
import type { UnavailableOfferings } from '../../catalog/index.ts';
import type { MachineBackend, NodeSubnets, VmFacts } from '../../machines/index.ts';
import { launchMetricLabelsOf } from '../azure-metrics.ts';

/** Whether Azure refused a machine, or accepted it and failed to make it. */
export type LaunchPhase = 'sync' | 'async';

/**
 * Sees accepted launches to their end in the background. Differs: the original lets the launch of a claim without a
 * pool wait for its machine, and tries another size for the claim where it fails; here such a claim ends like any
 * other.
 */
export interface LaunchFollower {
  /** Blocks the offerings that a failure is about, and returns the error for core. */
  judge(error: unknown, vm: VmFacts, phase: LaunchPhase): CloudProviderError | undefined;
  /**
   * Waits for the machine; when it fails it is removed and the failure reported. A claim that is followed already stays so.
   */
  follow(claimName: string, vm: VmFacts): void;
  /** Nothing is followed any longer; machines that were accepted come up all the same. */
  stop(): void;
  /** Resolves when everything that was followed has ended. */
  idle(): Promise<void>;
}

export interface FollowerSource {
  readonly backend: Pick<MachineBackend, 'made' | 'remove'>;
  readonly unavailable: UnavailableOfferings;
  readonly subnets: Pick<NodeSubnets, 'refused'>;
  readonly logger: Logger;
  readonly failures: Counter;
  /** What was tried; undefined for a size that is no longer sold: its failure blocks nothing. */
  readonly attemptOf: (vm: VmFacts) => FailedLaunchAttempt | undefined;
  /** Gives a machine that is there what it still lacks. Throws the `ArmError` by which it will not become a node. */
  readonly complete: (machine: Pick<VmFacts, 'name' | 'tags'>, signal: AbortSignal) => Promise<void>;
  /** Whether the node of a claim has joined. */
  readonly hasJoined: (claimName: string, signal: AbortSignal) => Promise<boolean>;
  readonly onLaunchFailed: (failure: Parameters<typeof reportFailedLaunch>[1], signal: AbortSignal) => Promise<void>;
}

const keepsBack = ({ blocks, blockSpotMs, blockRegionFromVCpus, blockedReservation }: LaunchVerdict): boolean =>
  blocks.length > 0 || blockSpotMs !== undefined || blockRegionFromVCpus !== undefined || blockedReservation !== undefined;

/**
 * A refused claim tries what is left by itself; one whose machine failed later is over, and the next plan buys
 * something else.
 */
const errorOf = (verdict: LaunchVerdict, phase: LaunchPhase): CloudProviderError => {
  const { error } = verdict;
  if (phase === 'sync' || !keepsBack(verdict)) return error;
  return new CloudProviderError('insufficient-capacity', error.message, {
    cause: error.cause,
    ...(error.reason !== undefined && { reason: error.reason }),
  });
};

const judgeWith =
  ({ unavailable, subnets, failures, attemptOf }: FollowerSource): LaunchFollower['judge'] =>
  (error, vm, phase) => {
    if (!(error instanceof ArmError)) return undefined;
    failures.increment({ ...launchMetricLabelsOf(vm), phase, error_code: error.armCode || error.code });
    if (error.armCode === 'SubnetIsFull') subnets.refused(vm.name);
    const attempt = attemptOf(vm);
    if (attempt === undefined) return cloudProviderErrorOf(error);
    const verdict = launchVerdictOf(error, attempt);
    for (const block of verdict.blocks) unavailable.block(block);
    if (verdict.blockSpotMs !== undefined) unavailable.blockSpot(verdict.blockSpotMs);
    const { blockRegionFromVCpus, blockedReservation } = verdict;
    if (blockRegionFromVCpus !== undefined) unavailable.blockRegion(blockRegionFromVCpus);
    if (blockedReservation !== undefined) unavailable.blockReservation(blockedReservation.id, blockedReservation.ttlMs);
    return errorOf(verdict, phase);
  };

export const launchFollower = (source: FollowerSource): LaunchFollower => {
  const { backend, logger, unavailable } = source;
  const lifetime = new AbortController();
  const followed = new Map<string, Promise<void>>();
  const judge = judgeWith(source);

  const settle = async (claimName: string, vm: VmFacts): Promise<void> => {
    try {
      if (!(await backend.made(vm.name, lifetime.signal))) return;
      const attempt = source.attemptOf(vm);
      if (attempt !== undefined) unavailable.sold(attempt);
      await source.complete(vm, lifetime.signal);
    } catch (error) {
      if (!(error instanceof ArmError) || error.code !== 'refused') throw error;
      if (await source.hasJoined(claimName, lifetime.signal)) {
        // `OSProvisioningTimedOut` comes after 20 minutes, also of machines that work. Source:
        // Azure/karpenter-provider-azure#1907.
        logger.warn('Azure reports a machine as failed whose node has joined: it stays', { claim: claimName, error });
        return;
      }
      const judged = judge(error, vm, 'async');
      if (judged === undefined) throw error;
      logger.warn('a machine was accepted and did not come', { claim: claimName, error: judged });
      await backend.remove(vm.name, lifetime.signal);
      await source.onLaunchFailed({ claimName, error: judged }, lifetime.signal);
    }
  };

  const run = async (claimName: string, vm: VmFacts): Promise<void> => {
    try {
      await settle(claimName, vm);
    } catch (error) {
      // The next round of `instance.maintenance` takes it up again.
      if (!lifetime.signal.aborted) logger.error('a launch could not be seen to its end', { claim: claimName, error });
    }
  };

  return {
    judge,
    follow: (claimName, vm) => {
      if (followed.has(claimName) || lifetime.signal.aborted) return;
      followed.set(
        claimName,
        run(claimName, vm).finally(() => void followed.delete(claimName)),
      );
    },
    stop: () => lifetime.abort(),
    idle: async () => {
      await Promise.all(followed.values());
    },
  };
};
