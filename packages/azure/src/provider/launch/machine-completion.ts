import type { Logger } from '@karpenter/runtime';
import type { ArmApi } from '../../arm/arm-api.ts';
import { ArmError } from '../../arm/arm-error.ts';
import { BILLING_EXTENSION, billingExtensionOf } from '../../machines/index.ts';

export interface CompletionDeps {
  readonly arm: Pick<ArmApi, 'putExtension'>;
  readonly location: string;
  readonly logger: Logger;
  readonly hasBillingExtension: boolean;
}

/** Adds to a running machine what it still lacks. */
export type CompleteMachine = (
  machine: { readonly name: string; readonly tags: Readonly<Record<string, string>> },
  signal: AbortSignal,
) => Promise<void>;

/**
 * Puts the billing extension on machines, where AKS has it. A failure is only logged: the machine runs, and the next pass of
 * `instance.maintenance` tries again.
 * Differs: the original deletes the machine, and leaves out the extension on a machine that it adopts after a restart.
 */
export const completingMachines =
  ({ arm, location, logger, hasBillingExtension }: CompletionDeps): CompleteMachine =>
  async ({ name, tags }, signal) => {
    if (!hasBillingExtension) return;
    try {
      await arm.putExtension(name, { name: BILLING_EXTENSION, body: billingExtensionOf({ location, tags }) }, signal);
    } catch (error) {
      if (!(error instanceof ArmError)) throw error;
      logger.warn('a machine has no billing extension yet', { machine: name, error });
    }
  };
