import { azureOptionNames as names } from './azure-option-names.ts';
import type { MachineBatching } from './machine-batching.ts';
import { absoluteUrl, agentPool, anyText, batchSize, duration, MOST_OF_A_BATCH, oneOf } from './option-forms.ts';
import type { OptionName, OptionReader } from './option-reader.ts';
import type { Provisioning } from './provisioning.ts';

const MODES = ['aksscriptless', 'bootstrappingclient', 'aksmachineapi', 'aksmachineapiheaderbatch'] as const;

const batchingOf = (reader: OptionReader, isUsed: boolean): MachineBatching | undefined => {
  const idleMs = reader.read(names.providerBatchIdleDuration, 1000, duration);
  const maxMs = reader.read(names.providerBatchMaxDuration, 5000, duration);
  const most = reader.read(names.providerBatchMaxSize, MOST_OF_A_BATCH, batchSize);
  if (isUsed && maxMs < idleMs) {
    reader.complain(
      '--provider-batch-max-duration (PROVIDER_BATCH_MAX_DURATION) is shorter than --provider-batch-idle-duration: expected at least as long',
    );
  }
  return isUsed ? { idleMs, maxMs, most } : undefined;
};

/** Reads how machines are made. What belongs to another way is looked at and not needed. */
export const provisioningOf = (reader: OptionReader): Provisioning => {
  const mode = reader.read(names.provisionMode, 'aksscriptless', oneOf(MODES));
  const isOfPool = mode.startsWith('aksmachineapi');
  const take = (name: OptionName, parse: typeof anyText, isNeeded: boolean): string =>
    isNeeded ? reader.require(name, parse) : reader.read(name, '', parse);
  const serverUrl = take(names.nodebootstrappingServerUrl, absoluteUrl, mode === 'bootstrappingclient');
  const clusterResourceGroup = take(names.armResourceGroup, anyText, mode !== 'aksscriptless');
  const poolName = take(names.aksMachinesPoolName, agentPool, isOfPool);
  const batching = batchingOf(reader, mode === 'aksmachineapiheaderbatch');
  switch (mode) {
    case 'aksscriptless':
      return { kind: mode };
    case 'bootstrappingclient':
      return { kind: mode, serverUrl, clusterResourceGroup };
    case 'aksmachineapi':
    case 'aksmachineapiheaderbatch':
      return { kind: 'aksmachineapi', poolName, clusterResourceGroup, batching };
  }
};
