import { expect } from '@jest/globals';
import { durationMs } from '@karpenter/core';
import type { CloudProvider } from '@karpenter/core';

type Knobs = Pick<CloudProvider, 'launchTimeoutMs' | 'defaultTerminationGracePeriod' | 'unsupportedVolumes'>;

/** A shorter one was probably meant in seconds. */
const LEAST_TIMEOUT_MS = 10_000;

/** Whether what a provider states about all of its machines can be read. */
export const checkKnobs = ({ launchTimeoutMs, defaultTerminationGracePeriod, unsupportedVolumes = {} }: Knobs): void => {
  if (launchTimeoutMs !== undefined) expect(launchTimeoutMs).toBeGreaterThanOrEqual(LEAST_TIMEOUT_MS);
  if (defaultTerminationGracePeriod !== undefined) expect(durationMs(defaultTerminationGracePeriod)).toBeGreaterThan(0);
  const { provisioners = new Set(), topologyKeys = new Set() } = unsupportedVolumes;
  for (const names of [provisioners, topologyKeys]) {
    expect(names).toBeInstanceOf(Set);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]([-a-z0-9./_A-Z]*[a-z0-9])?$/i);
  }
};
