import { azureOptionNames as names } from './azure-option-names.ts';
import type { MachineBatching, AgentPool, KnownMachines, Provisioning } from './provisioning.ts';
import { agentPool, anyText, batchSize, duration, MOST_OF_A_BATCH, choiceOf, trueOrFalse, urlOrHost } from './option-forms.ts';
import type { OptionName, OptionReader } from './option-reader.ts';

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

type Mode = (typeof MODES)[number];

const isOfPool = (mode: Mode): boolean => mode.startsWith('aksmachineapi');

const provisioningOf = (reader: OptionReader, mode: Mode, pool: AgentPool): Provisioning => {
  const { clusterResourceGroup } = pool;
  const url = names.nodebootstrappingServerUrl;
  const serverUrl = mode === 'bootstrappingclient' ? reader.require(url, urlOrHost) : reader.read(url, '', urlOrHost);
  const batching = batchingOf(reader, mode === 'aksmachineapiheaderbatch');
  switch (mode) {
    case 'aksscriptless':
      return { kind: mode };
    case 'bootstrappingclient':
      return { kind: mode, serverUrl, clusterResourceGroup };
    case 'aksmachineapi':
    case 'aksmachineapiheaderbatch':
      return { kind: 'aksmachineapi', ...pool, batching };
  }
};

/** Reads how machines are made, and which others there are. What belongs to another way is checked and not needed. */
export const knownMachinesOf = (reader: OptionReader): KnownMachines => {
  const mode = reader.read(names.provisionMode, 'aksscriptless', choiceOf(MODES));
  const keepsFormer = reader.read(names.manageExistingAksMachines, false, trueOrFalse);
  const take = (name: OptionName, parse: typeof anyText, isNeeded: boolean): string =>
    isNeeded ? reader.require(name, parse) : reader.read(name, '', parse);
  const pool = {
    clusterResourceGroup: take(names.armResourceGroup, anyText, keepsFormer || mode !== 'aksscriptless'),
    poolName: take(names.aksMachinesPoolName, agentPool, keepsFormer || isOfPool(mode)),
  };
  return { provisioning: provisioningOf(reader, mode, pool), formerPool: keepsFormer && !isOfPool(mode) ? pool : undefined };
};
