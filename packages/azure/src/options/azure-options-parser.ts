import { azureOptionNames as names } from './azure-option-names.ts';
import type {
  AzureOptions,
  CloudChoice,
  CloudName,
  NetworkDataplane,
  NetworkPlugin,
  NetworkPluginMode,
  SharedGalleries,
} from './azure-options.ts';
import {
  absolutePath,
  absoluteUrl,
  anyText,
  base64Text,
  bootstrapToken,
  diskEncryptionSet,
  identityIds,
  ipAddress,
  linuxUser,
  maxPrice,
  policyEngine,
  choiceOf,
  region,
  resourceGroup,
  share,
  sshPublicKey,
  subnetId,
  tagMap,
  trueOrFalse,
  uuid,
} from './option-forms.ts';
import { apiVersionMap, committedPrices, reservationGroups } from './list-forms.ts';
import { type GivenOptions, type OptionName, type OptionReader, type OptionValue, optionReader } from './option-reader.ts';
import { knownMachinesOf } from './provisioning-parser.ts';
import type { Provisioning } from './provisioning.ts';

/** Options, or everything that is wrong with what was given. */
export type ParsedAzureOptions =
  { readonly ok: true; readonly options: AzureOptions } | { readonly ok: false; readonly problems: readonly string[] };

const CLOUDS: ReadonlyMap<string, CloudName> = new Map([
  ['azurepubliccloud', 'AzurePublicCloud'],
  ['azurecloud', 'AzurePublicCloud'],
  ['azurechinacloud', 'AzureChinaCloud'],
  ['azureusgovernment', 'AzureUSGovernmentCloud'],
  ['azureusgovernmentcloud', 'AzureUSGovernmentCloud'],
]);

const cloudName = (text: string): OptionValue<CloudName> => {
  const value = CLOUDS.get(text.toLowerCase());
  return value === undefined ? { wanted: 'one of AzurePublicCloud, AzureChinaCloud, AzureUSGovernmentCloud' } : { value };
};

const maybe = (parse: (text: string) => OptionValue<string>) => parse as (text: string) => OptionValue<string | undefined>;

const cloudOf = (reader: OptionReader): CloudChoice => {
  const path = reader.read(names.azureEnvironmentFilepath, undefined, maybe(absolutePath));
  const name = reader.read<CloudName | undefined>(names.armCloud, undefined, cloudName);
  if (path !== undefined && name !== undefined) {
    reader.complain('ARM_CLOUD and AZURE_ENVIRONMENT_FILEPATH are both set: expected one of them');
  }
  return path === undefined ? { kind: 'named', name: name ?? 'AzurePublicCloud' } : { kind: 'file', path };
};

const MODE = names.networkPluginMode;
const DATAPLANE = names.networkDataplane;
const plugins: readonly NetworkPlugin[] = ['azure', 'none'];
const dataplanes: readonly NetworkDataplane[] = ['cilium', 'azure', ''];

const modeOf = (reader: OptionReader, plugin: NetworkPlugin): NetworkPluginMode => {
  if (reader.isEmpty(MODE)) return '';
  const mode = reader.read<NetworkPluginMode | undefined>(MODE, undefined, choiceOf<NetworkPluginMode>(['overlay', '']));
  if (plugin === 'none' && mode === 'overlay') {
    reader.complain('--network-plugin-mode (NETWORK_PLUGIN_MODE) is "overlay": expected nothing together with --network-plugin none');
  }
  return mode ?? (plugin === 'azure' ? 'overlay' : '');
};

const networkOf = (reader: OptionReader) => {
  const networkPlugin = reader.read(names.networkPlugin, 'azure', choiceOf(plugins));
  return {
    networkPlugin,
    networkPluginMode: modeOf(reader, networkPlugin),
    networkPolicy: reader.read(names.networkPolicy, '', policyEngine),
    networkDataplane: reader.isEmpty(DATAPLANE) ? '' : reader.read(DATAPLANE, 'cilium', choiceOf(dataplanes)),
    dnsServiceIp: reader.read(names.dnsServiceIp, undefined, maybe(ipAddress)),
    vnetGuid: reader.read(names.vnetGuid, undefined, maybe(uuid)),
    vnetSubnetId: reader.require(names.vnetSubnetId, subnetId),
  } as const;
};

const nodesOf = (reader: OptionReader) => ({
  kubeletBootstrapToken: reader.require(names.kubeletBootstrapToken, bootstrapToken),
  linuxAdminUsername: reader.read(names.linuxAdminUsername, 'azureuser', linuxUser),
  sshPublicKey: reader.require(names.sshPublicKey, sshPublicKey),
  nodeIdentities: reader.read(names.nodeIdentities, [], identityIds),
  kubeletIdentityClientId: reader.read(names.kubeletIdentityClientId, '', uuid),
  additionalTags: reader.read(names.additionalTags, {}, tagMap),
  diskEncryptionSetId: reader.read(names.nodeOsdiskDiskencryptionsetId, undefined, maybe(diskEncryptionSet)),
});

const galleriesOf = (reader: OptionReader, { kind }: Provisioning): SharedGalleries | undefined => {
  const isUsed = reader.read(names.useSig, false, trueOrFalse);
  const takesItself = kind !== 'aksmachineapi';
  if (!isUsed && !takesItself) reader.complain('--use-sig (USE_SIG) is not set: expected true with machines of an agent pool');
  const take = (name: OptionName, parse: typeof absoluteUrl, isNeeded: boolean): string =>
    isNeeded ? reader.require(name, parse) : reader.read(name, '', parse);
  const subscriptionId = take(names.sigSubscriptionId, uuid, isUsed);
  const tokenServerUrl = take(names.sigAccessTokenServerUrl, absoluteUrl, isUsed && takesItself);
  return isUsed ? { subscriptionId, tokenServerUrl: tokenServerUrl || undefined } : undefined;
};

type GroupsSurroundings = Pick<AzureOptions, 'provisioning' | 'subscriptionId'>;

const reservationGroupsOf = (reader: OptionReader, { provisioning, subscriptionId }: GroupsSurroundings): readonly string[] => {
  const groups = reader.read(names.capacityReservationGroups, [], reservationGroups(subscriptionId));
  if (groups.length > 0 && provisioning.kind === 'aksmachineapi') {
    reader.complain(
      `--capacity-reservation-groups (CAPACITY_RESERVATION_GROUPS) is "${groups.join()}": expected nothing with the mode aksmachineapi, whose machines are made out of none`,
    );
  }
  return groups;
};

const accountOf = (reader: OptionReader, env: GivenOptions['env'], provisioning: Provisioning) => ({
  nodeResourceGroup: reader.require(names.nodeResourceGroup, resourceGroup),
  systemNamespace: reader.read(names.systemNamespace, undefined, maybe(anyText)),
  sharedGalleries: galleriesOf(reader, provisioning),
  location: reader.require(names.location, region),
  subscriptionId: reader.require(
    { env: env.AZURE_SUBSCRIPTION_ID || !env.ARM_SUBSCRIPTION_ID ? 'AZURE_SUBSCRIPTION_ID' : 'ARM_SUBSCRIPTION_ID' },
    uuid,
  ),
  tenantId: reader.read({ env: env.AZURE_TENANT_ID || !env.ARM_TENANT_ID ? 'AZURE_TENANT_ID' : 'ARM_TENANT_ID' }, undefined, maybe(uuid)),
  cloud: cloudOf(reader),
  retailPricesUrl: reader.read(names.retailPricesUrl, undefined, maybe(absoluteUrl)),
  committedPrices: reader.read(names.committedPrices, [], committedPrices),
  apiVersions: reader.read(names.apiVersions, {}, apiVersionMap),
  logsSdkCalls: reader.read(names.enableAzureSdkLogging, true, trueOrFalse),
  spotMaxPricePerHour: reader.read(names.spotMaxPrice, undefined, maxPrice),
  usesSpotPlacementScores: reader.read(names.spotPlacementScores, false, trueOrFalse),
});

/** Reads the provider's flags and environment. All that is wrong comes back at once, a sentence each. */
export const parseAzureOptions = (given: GivenOptions): ParsedAzureOptions => {
  const reader = optionReader(given);
  const machines = knownMachinesOf(reader);
  const stated = {
    clusterName: reader.require(names.clusterName, anyText),
    clusterEndpoint: reader.require(names.clusterEndpoint, absoluteUrl),
    clusterCaBundle: reader.read(names.clusterCaBundle, undefined, maybe(base64Text)),
    vmMemoryOverheadPercent: reader.read(names.vmMemoryOverheadPercent, 0.075, share),
    ...networkOf(reader),
    ...nodesOf(reader),
    ...accountOf(reader, given.env, machines.provisioning),
    ...machines,
  };
  const options: AzureOptions = { ...stated, capacityReservationGroups: reservationGroupsOf(reader, stated) };
  return reader.problems.length === 0 ? { ok: true, options } : { ok: false, problems: reader.problems };
};
