import { isIP } from 'node:net';
import { decimalIn, durationMs, wholeNumberIn } from '@karpenter/core';
import { SUBNET_ID_PATTERN } from '../apis/index.ts';
import type { OptionValue } from './option-reader.ts';

type Parse<T> = (text: string) => OptionValue<T>;

const matching =
  (pattern: RegExp, wanted: string): Parse<string> =>
  (text) =>
    pattern.test(text) ? { value: text } : { wanted };

export const anyText: Parse<string> = (text) => ({ value: text });
/** A variable of a node's script, which is split at white space: AKS has azure, calico and cilium. */
export const policyEngine = matching(/^[A-Za-z0-9-]+$/, 'one word of letters, digits and "-", such as calico');
/** A variable of that script, and a label. Azure takes letters of all alphabets, AKS these. */
export const resourceGroup = matching(
  /^[A-Za-z0-9]([\w.()-]{0,88}[\w()-])?$/,
  'a resource group: at most 90 letters, digits, "_", "-", "." and brackets, a letter or digit first, no "." last',
);
export const uuid = matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, 'a UUID');
export const subnetId = matching(
  new RegExp(SUBNET_ID_PATTERN),
  'an ARM id like /subscriptions/…/resourceGroups/…/providers/Microsoft.Network/virtualNetworks/…/subnets/…',
);
const SSH_PUBLIC_KEY = /^ssh-(rsa|ed25519) [A-Za-z0-9+/]+=*( .*)?$/;
/** A file of a key ends with a new line, and comes with it. */
export const sshPublicKey: Parse<string> = (text) => {
  const value = text.trim();
  return SSH_PUBLIC_KEY.test(value)
    ? { value }
    : { wanted: 'a public key of OpenSSH that Azure takes: ssh-rsa or ssh-ed25519, and the key' };
};
/** Base64 in one line, since tools wrap it after 76 characters; undefined for any other text. */
export const base64In = (text: string): string | undefined => {
  const line = text.replace(/\s/g, '');
  return /^[A-Za-z0-9+/]+={0,2}$/.test(line) ? line : undefined;
};
export const base64Text: Parse<string> = (text) => {
  const value = base64In(text);
  return value === undefined ? { wanted: 'certificates in PEM, as base64' } : { value };
};
/** Whoever has it may join nodes: it is in no message. */
export const bootstrapToken: Parse<string> = (text) =>
  /^[a-z0-9]{6}\.[a-z0-9]{16}$/.test(text)
    ? { value: text }
    : { wanted: 'a bootstrap token: six small letters or digits, a dot, sixteen more', isSecret: true };
export const linuxUser = matching(/^[A-Za-z][A-Za-z0-9_-]{0,31}$/, 'at most 32 letters, digits, "-" and "_", a letter first');
export const diskEncryptionSet = matching(
  /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.Compute\/diskEncryptionSets\/[^/]+$/i,
  'the ARM id of a Microsoft.Compute/diskEncryptionSets',
);
export const ipAddress: Parse<string> = (text) => (isIP(text) === 0 ? { wanted: 'an IP address' } : { value: text });
export const agentPool = matching(
  /^[a-z][a-z0-9]{0,11}$/,
  'the name of an agent pool: at most 12 small letters and digits, a letter first',
);
/** As ids have it; Azure's pages show `East US`. */
export const region: Parse<string> = (text) => {
  const value = text.replaceAll(' ', '').toLowerCase();
  return /^[a-z0-9]+$/.test(value) ? { value } : { wanted: 'the name of a region, such as eastus' };
};

export const absolutePath = matching(/^(\/|[A-Za-z]:[\\/])/, 'an absolute path');

export const absoluteUrl: Parse<string> = (text) =>
  URL.canParse(text) && new URL(text).hostname !== ''
    ? { value: text }
    : { wanted: 'an absolute URL with a host, such as https://example.com' };

/** A URL, or host and port without TLS: the only form that the original knows. */
export const urlOrHost: Parse<string> = (text) => {
  const url = absoluteUrl(text.includes('://') ? text : `http://${text}`);
  return 'value' in url ? url : { wanted: 'a host and port, such as nodes.example.com:8080, or an absolute URL' };
};

/** Differs: the original takes more than all of it too, and then finds no size that has memory. */
export const share: Parse<number> = (text) => {
  const value = decimalIn(text, { min: 0, max: 1 });
  return value !== undefined && value < 1 ? { value } : { wanted: 'a number from 0 to less than 1: 0.075 is 7.5 %' };
};

/** As Azure takes it: up to five decimals. Undefined: -1, Azure's word for no maximum. */
export const maxPrice: Parse<number | undefined> = (text) => {
  if (text === '-1') return { value: undefined };
  const value = /^\d+(\.\d{1,5})?$/.test(text) ? decimalIn(text) : undefined;
  return value !== undefined && value > 0
    ? { value }
    : { wanted: 'a price in USD an hour above 0, of up to five decimals, or -1 for no maximum' };
};

/** Milliseconds. */
export const duration: Parse<number> = (text) => {
  const value = durationMs(text);
  return value !== undefined && value >= 0 ? { value } : { wanted: 'a duration of 0 or more, such as 1s' };
};

/** What AKS takes at once. */
export const MOST_OF_A_BATCH = 50;

export const batchSize: Parse<number> = (text) => {
  const value = wholeNumberIn(text, { min: 1, max: MOST_OF_A_BATCH });
  return value === undefined ? { wanted: `a whole number from 1 to ${MOST_OF_A_BATCH}` } : { value };
};

export const trueOrFalse: Parse<boolean> = (text) =>
  /^(true|false)$/i.test(text) ? { value: text.toLowerCase() === 'true' } : { wanted: 'true or false' };

export const choiceOf =
  <T extends string>(choices: readonly T[]): Parse<T> =>
  (text) => {
    const value = choices.find((choice) => choice === text);
    return value === undefined ? { wanted: `one of ${choices.map((choice) => choice || '"" (empty)').join(', ')}` } : { value };
  };

export const identityIds: Parse<readonly string[]> = (text) => {
  const ids = text.split(',').map((id) => id.trim());
  const isId = (id: string): boolean =>
    /^\/subscriptions\/.+\/providers\/Microsoft\.ManagedIdentity\/userAssignedIdentities\/[^/]+$/i.test(id);
  return ids.every(isId) ? { value: ids } : { wanted: 'ARM ids of Microsoft.ManagedIdentity/userAssignedIdentities, separated by commas' };
};

const TAGS =
  'key=value pairs separated by commas; keys unique ignoring case, up to 512 characters without < > % & \\ ? /, values up to 256';
const isTag = (key: string, value: string): boolean => key !== '' && key.length <= 512 && !/[<>%&\\?/]/.test(key) && value.length <= 256;

export const tagMap: Parse<Readonly<Record<string, string>>> = (text) => {
  const pairs = text
    .split(',')
    .map((pair): [string, string] => [pair.split('=')[0]?.trim() ?? '', pair.slice(pair.indexOf('=') + 1).trim()]);
  const isUnique = new Set(pairs.map(([key]) => key.toLowerCase())).size === pairs.length;
  const isValid = isUnique && text.split(',').every((pair) => pair.includes('=')) && pairs.every(([key, value]) => isTag(key, value));
  return isValid ? { value: Object.fromEntries(pairs) } : { wanted: TAGS };
};
