import { readFileSync } from 'node:fs';
import type { CloudChoice, CloudName } from '../options/index.ts';

/** Where an Azure cloud is to be reached. */
export interface AzureEnvironment {
  readonly name: string;
  readonly resourceManagerEndpoint: string;
  readonly activeDirectoryEndpoint: string;
  /** Tokens are requested with the scope `<tokenAudience>/.default`. */
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

/** The environment file is missing, is not JSON, or has wrong members. The message has one line. */
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

type Member = 'resourceManagerEndpoint' | 'activeDirectoryEndpoint' | 'tokenAudience' | 'retailPricesEndpoint';

const URL_WANTED = 'an absolute https URL, such as https://management.example.com';
const isHttps = (text: string): boolean => URL.canParse(text) && new URL(text).protocol === 'https:';

/** What is wrong with a member, in words; undefined when nothing is. */
const problemOf = (member: Member, value: unknown): string | undefined => {
  if (value === undefined || value === '') return member === 'retailPricesEndpoint' ? undefined : `${member} is missing: it must be set`;
  if (typeof value !== 'string') return `${member} is ${JSON.stringify(value)}: expected text`;
  return member === 'tokenAudience' || isHttps(value) ? undefined : `${member} is ${JSON.stringify(value)}: expected ${URL_WANTED}`;
};

const MEMBERS: readonly Member[] = ['resourceManagerEndpoint', 'activeDirectoryEndpoint', 'tokenAudience', 'retailPricesEndpoint'];

const ofFile = (path: string): AzureEnvironment => {
  const parsed = parseFile(path);
  const members = new Map<string, unknown>(Object.entries(typeof parsed === 'object' && parsed !== null ? parsed : {}));
  const problems = MEMBERS.flatMap((member) => problemOf(member, members.get(member)) ?? []);
  if (problems.length > 0) throw new AzureEnvironmentError(`AZURE_ENVIRONMENT_FILEPATH names ${path}, in which ${problems.join('; ')}`);
  const textOf = (member: string): string => {
    const value = members.get(member);
    return typeof value === 'string' ? value.replace(/\/$/, '') : '';
  };
  const name = textOf('name') || 'custom';
  return {
    name,
    resourceManagerEndpoint: textOf('resourceManagerEndpoint'),
    activeDirectoryEndpoint: textOf('activeDirectoryEndpoint'),
    tokenAudience: textOf('tokenAudience'),
    retailPricesEndpoint: textOf('retailPricesEndpoint') || undefined,
    hasBillingExtension: name in CLOUDS,
  };
};

/** The cloud that was chosen. Reads the environment file where one was named; throws `AzureEnvironmentError`. */
export const azureEnvironmentOf = (choice: CloudChoice): AzureEnvironment =>
  choice.kind === 'named' ? CLOUDS[choice.name] : ofFile(choice.path);
