import type { CloudProviderError } from '@karpenter/core';
import type { Counter, Logger } from '@karpenter/core/controllers';
import { ArmError } from '../arm/arm-error.ts';
import { cloudProviderErrorOf, type LaunchAttempt, launchVerdictOf } from '../arm/classify.ts';
import type { UnavailableOfferings } from '../catalog/index.ts';
import { machineNameOf, type MachineBackend } from '../machines/index.ts';

/** A machine that was accepted and did not come: its claim is to be deleted, so that its pods are planned again. */
export interface LaunchFailure {
  readonly claimName: string;
  readonly error: CloudProviderError;
}

/** A launch that Azure has accepted. */
export interface AcceptedLaunch {
  readonly claimName: string;
  /** Absent: nothing is known of what was bought, and nothing is learned. */
  readonly attempt: LaunchAttempt | undefined;
  /** The machine's tags, for its extensions. */
  readonly tags: Readonly<Record<string, string>>;
}

/** Sees accepted launches to their end in the background. */
export interface LaunchFollower {
  /** Marks what a failure says about offerings and gives what core is told. */
  judge(error: unknown, attempt: LaunchAttempt | undefined): CloudProviderError | undefined;
  /** Waits for the machine; when it fails it is removed and the failure reported. A claim that is followed already stays so. */
  follow(launch: AcceptedLaunch): void;
  /** Nothing is followed any longer; machines that were accepted come up all the same. */
  stop(): void;
  /** Resolves when everything that was followed has ended. */
  idle(): Promise<void>;
}

export interface FollowerSource {
  readonly backend: Pick<MachineBackend, 'made' | 'remove'>;
  readonly unavailable: UnavailableOfferings;
  readonly logger: Logger;
  readonly failures: Counter;
  /** Gives a machine that is there what it still lacks. Throws the `ArmError` by which it will not become a node. */
  readonly complete: (machine: { readonly name: string; readonly tags: AcceptedLaunch['tags'] }, signal: AbortSignal) => Promise<void>;
  readonly onLaunchFailed: (failure: LaunchFailure, signal: AbortSignal) => Promise<void>;
}

const judgeWith =
  ({ unavailable, failures }: FollowerSource): LaunchFollower['judge'] =>
  (error, attempt) => {
    if (!(error instanceof ArmError)) return undefined;
    failures.increment({ error_code: error.armCode || error.code });
    if (attempt === undefined) return cloudProviderErrorOf(error);
    const verdict = launchVerdictOf(error, attempt);
    for (const block of verdict.blocks) unavailable.block(block);
    if (verdict.blockSpotMs !== undefined) unavailable.blockSpot(verdict.blockSpotMs);
    return verdict.error;
  };

export const launchFollower = (source: FollowerSource): LaunchFollower => {
  const { backend, logger, unavailable } = source;
  const lifetime = new AbortController();
  const followed = new Map<string, Promise<void>>();
  const judge = judgeWith(source);

  const report = async (claimName: string, error: CloudProviderError): Promise<void> => {
    logger.warn('a machine was accepted and did not come', { claim: claimName, error });
    await backend.remove(machineNameOf(claimName), lifetime.signal);
    await source.onLaunchFailed({ claimName, error }, lifetime.signal);
  };

  const settle = async ({ claimName, attempt, tags }: AcceptedLaunch): Promise<void> => {
    const name = machineNameOf(claimName);
    try {
      if (!(await backend.made(name, lifetime.signal))) return;
      if (attempt !== undefined) unavailable.sold(attempt);
      await source.complete({ name, tags }, lifetime.signal);
    } catch (error) {
      const judged = error instanceof ArmError && error.code === 'refused' ? judge(error, attempt) : undefined;
      if (judged === undefined) throw error;
      await report(claimName, judged);
    }
  };

  const run = async (launch: AcceptedLaunch): Promise<void> => {
    try {
      await settle(launch);
    } catch (error) {
      // The next round of `instance.upkeep` takes it up again.
      if (!lifetime.signal.aborted) logger.error('a launch could not be seen to its end', { claim: launch.claimName, error });
    }
  };

  return {
    judge,
    follow: (launch) => {
      const { claimName } = launch;
      if (followed.has(claimName) || lifetime.signal.aborted) return;
      followed.set(
        claimName,
        run(launch).finally(() => void followed.delete(claimName)),
      );
    },
    stop: () => lifetime.abort(),
    idle: async () => {
      await Promise.all(followed.values());
    },
  };
};
