import { ArmError } from '../arm/arm-error.ts';
import type { ProviderContext } from './provider-context.ts';

const FIRST_MS = 2000;
const LONGEST_MS = 10_000;

/** Waits for a machine whose operation is not known: one that was accepted before a restart. Throws `ArmError` when it has failed. */
export const waitForMachine = async (
  { backend, clock }: Pick<ProviderContext, 'backend' | 'clock'>,
  name: string,
  signal: AbortSignal,
): Promise<void> => {
  for (let delayMs = FIRST_MS; ; delayMs = Math.min(delayMs * 1.5, LONGEST_MS)) {
    await clock.sleep(delayMs, signal);
    const vm = await backend.find(name, signal);
    if (vm === undefined || vm.provisioningState === 'Succeeded' || vm.provisioningState === 'Deleting') return;
    if (vm.provisioningState === 'Failed') {
      throw new ArmError(`VM ${name} has failed`, { code: 'refused', armCode: 'ProvisioningFailed', cause: undefined });
    }
  }
};
