import { azureOptionNames as names } from './azure-option-names.ts';
import { absoluteUrl, agentPool, anyText, oneOf } from './option-forms.ts';
import type { OptionName, OptionReader } from './option-reader.ts';
import type { Provisioning } from './provisioning.ts';

const KINDS: readonly Provisioning['kind'][] = ['aksscriptless', 'bootstrappingclient', 'aksmachineapi'];

/** Reads how machines are made. What belongs to another way is looked at and not needed. */
export const provisioningOf = (reader: OptionReader): Provisioning => {
  const kind = reader.read(names.provisionMode, 'aksscriptless', oneOf(KINDS));
  const take = (name: OptionName, parse: typeof anyText, isNeeded: boolean): string =>
    isNeeded ? reader.require(name, parse) : reader.read(name, '', parse);
  const serverUrl = take(names.nodebootstrappingServerUrl, absoluteUrl, kind === 'bootstrappingclient');
  const clusterResourceGroup = take(names.armResourceGroup, anyText, kind !== 'aksscriptless');
  const poolName = take(names.aksMachinesPoolName, agentPool, kind === 'aksmachineapi');
  switch (kind) {
    case 'aksscriptless':
      return { kind };
    case 'bootstrappingclient':
      return { kind, serverUrl, clusterResourceGroup };
    case 'aksmachineapi':
      return { kind, poolName, clusterResourceGroup };
  }
};
