import type { CloudProviderError } from '@karpenter/core';
import type { Clock, Counter, Logger } from '@karpenter/core/controllers';
import { ArmError } from '../arm/arm-error.ts';
import { cloudProviderErrorOf, type LaunchAttempt, launchVerdictOf } from '../arm/classify.ts';
import type { UnavailableOfferings } from '../catalog/index.ts';
import { machineNameOf, type MachineBackend } from '../machines/index.ts';

/** A machine that was accepted and did not come: its claim is to be deleted, so that its pods are planned again. */
export interface LaunchFailure {
  readonly claimName: string;
  readonly error: CloudProviderError;
}

/** Sees accepted launches to their end in the background. */
export interface LaunchFollower {
  /** Marks what a failure says about offerings and gives what core is told. */
  judge(error: unknown, attempt: LaunchAttempt | undefined): CloudProviderError | undefined;
  /** Waits for `finish`; when it fails the machine is removed and the failure reported. A claim that is followed already stays so. */
  follow(claimName: string, attempt: LaunchAttempt | undefined, finish: (signal: AbortSignal) => Promise<void>): void;
  /** Nothing is followed any longer; machines that were accepted come up all the same. */
  stop(): void;
  /** Resolves when everything that was followed has ended. */
  idle(): Promise<void>;
}

export interface FollowerSource {
  readonly backend: Pick<MachineBackend, 'remove'>;
  readonly unavailable: UnavailableOfferings;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly failures: Counter;
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
  const { backend, logger } = source;
  const lifetime = new AbortController();
  const followed = new Map<string, Promise<void>>();
  const judge = judgeWith(source);

  const report = async (claimName: string, error: CloudProviderError): Promise<void> => {
    logger.warn('a machine was accepted and did not come', { claim: claimName, error });
    try {
      await backend.remove(machineNameOf(claimName), lifetime.signal);
      await source.onLaunchFailed({ claimName, error }, lifetime.signal);
    } catch (failure) {
      // The claim's liveness deadline ends it later; its finalizer removes the machine.
      if (!lifetime.signal.aborted) logger.error('a failed launch could not be cleaned up', { claim: claimName, error: failure });
    }
  };

  const run: (...[claimName, attempt, finish]: Parameters<LaunchFollower['follow']>) => Promise<void> = async (
    claimName,
    attempt,
    finish,
  ) => {
    try {
      await finish(lifetime.signal);
    } catch (error) {
      if (lifetime.signal.aborted) return;
      const judged = judge(error, attempt);
      if (judged === undefined) logger.error('a launch could not be followed', { claim: claimName, error });
      else if (judged.code !== 'network' && judged.code !== 'throttled') await report(claimName, judged);
    }
  };

  return {
    judge,
    follow: (claimName, attempt, finish) => {
      if (followed.has(claimName) || lifetime.signal.aborted) return;
      followed.set(
        claimName,
        run(claimName, attempt, finish).finally(() => void followed.delete(claimName)),
      );
    },
    stop: () => lifetime.abort(),
    idle: async () => {
      await Promise.all(followed.values());
    },
  };
};
