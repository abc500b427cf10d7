import { readFileSync } from 'node:fs';
import type { CloudChoice, CloudName } from '../options/index.ts';

/** Where an Azure cloud is to be reached. */
export interface AzureEnvironment {
  readonly name: string;
  readonly resourceManagerEndpoint: string;
  readonly activeDirectoryEndpoint: string;
  /** Tokens are asked for with the scope `<tokenAudience>/.default`. */
  readonly tokenAudience: string;
  readonly retailPricesEndpoint: string | undefined;
  /** AKS publishes its billing extension in its own clouds only. */
  readonly hasBillingExtension: boolean;
}

const named = (name: CloudName, resourceManager: string, activeDirectory: string): AzureEnvironment => ({
  name,
  resourceManagerEndpoint: `https://${resourceManager}`,
  activeDirectoryEndpoint: `https://${activeDirectory}`,
  tokenAudience: `https://${resourceManager}`,
  retailPricesEndpoint: name === 'AzurePublicCloud' ? 'https://prices.azure.com/api/retail/prices' : undefined,
  hasBillingExtension: true,
});

const CLOUDS: Readonly<Record<CloudName, AzureEnvironment>> = {
  AzurePublicCloud: named('AzurePublicCloud', 'management.azure.com', 'login.microsoftonline.com'),
  AzureChinaCloud: named('AzureChinaCloud', 'management.chinacloudapi.cn', 'login.chinacloudapi.cn'),
  AzureUSGovernmentCloud: named('AzureUSGovernmentCloud', 'management.usgovcloudapi.net', 'login.microsoftonline.us'),
};

/** The environment file is missing, is no JSON, or lacks a member. */
export class AzureEnvironmentError extends Error {
  override readonly name = 'AzureEnvironmentError';
  readonly code = 'bad-environment-file';
}

const parseFile = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new AzureEnvironmentError(`AZURE_ENVIRONMENT_FILEPATH names ${path}, which cannot be read as JSON: ${why}`, { cause });
  }
};

const ofFile = (path: string): AzureEnvironment => {
  const parsed = parseFile(path);
  const members = new Map(Object.entries(typeof parsed === 'object' && parsed !== null ? parsed : {}));
  const textOf = (member: string): string | undefined => {
    const value: unknown = members.get(member);
    return typeof value === 'string' && value !== '' ? value.replace(/\/$/, '') : undefined;
  };
  const required = (member: string): string => {
    const value = textOf(member);
    if (value === undefined)
      throw new AzureEnvironmentError(`${path} lacks ${member}; AZURE_ENVIRONMENT_FILEPATH must name a file that has it`);
    return value;
  };
  const name = textOf('name') ?? 'custom';
  return {
    name,
    resourceManagerEndpoint: required('resourceManagerEndpoint'),
    activeDirectoryEndpoint: required('activeDirectoryEndpoint'),
    tokenAudience: required('tokenAudience'),
    retailPricesEndpoint: textOf('retailPricesEndpoint'),
    hasBillingExtension: name in CLOUDS,
  };
};

/** The cloud that was chosen. Reads the environment file where one was named; throws `AzureEnvironmentError`. */
export const azureEnvironmentOf = (choice: CloudChoice): AzureEnvironment =>
  choice.kind === 'named' ? CLOUDS[choice.name] : ofFile(choice.path);
