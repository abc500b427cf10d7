import { ArmError } from '../arm/arm-error.ts';
import type { ProvisionValues } from '../bootstrap/index.ts';
import type { CheckContext } from './preflight-context.ts';
import type { PreflightCheck, PreflightFinding } from './report.ts';

/** A service beside the control plane that an option names. */
interface Service {
  readonly check: PreflightCheck;
  readonly url: string;
  /** Calls it. Throws `ArmError` where it does not do what it is for. */
  readonly call: () => Promise<void>;
}

const serviceFinding = async ({ check, url, call }: Service): Promise<PreflightFinding> => {
  try {
    await call();
    return { check, subject: url, status: 'passed', message: 'it answers' };
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    const at = { check, subject: url, message: error.message };
    const isPassing = error.code === 'throttled' || error.code === 'server';
    return isPassing ? { ...at, status: 'unknown' } : { ...at, status: 'failed', remedy: `curl ${url}, in a pod beside the controller` };
  }
};

/** It answers a question without values by saying what they lack: that is enough to know. */
const callBootstrapping = async ({ reach: { bootstrapping } }: Pick<CheckContext, 'reach'>, signal: AbortSignal): Promise<void> => {
  try {
    await bootstrapping?.ask({} as ProvisionValues, signal);
  } catch (error) {
    if (!(error instanceof ArmError) || error.code !== 'refused') throw error;
  }
};

/** The services of AKS that only some modes and options need: they stand beside its control planes only. */
export const serviceChecks = (
  context: Pick<CheckContext, 'options' | 'reach'>,
  signal: AbortSignal,
): Promise<readonly PreflightFinding[]> => {
  const { provisioning, sharedGalleries } = context.options;
  const { imageToken } = context.reach;
  const services: readonly Service[] = [
    ...(provisioning.kind === 'bootstrappingclient'
      ? [{ check: 'egress', url: provisioning.serverUrl, call: () => callBootstrapping(context, signal) } as const]
      : []),
    ...(imageToken === undefined ? [] : [{ check: 'images', url: sharedGalleries?.tokenServerUrl ?? '', call: imageToken } as const]),
  ];
  return Promise.all(services.map(serviceFinding));
};
