import { type AppliedSettings, appliedSettingsOf } from './applied-settings.ts';
import { BootstrapError } from './bootstrap-error.ts';
import { requireImageScripts } from './require-image-scripts.ts';
import { shellAssignments } from './shell-assignments.ts';

export interface BootstrapTaint {
  readonly key: string;
  readonly value: string | undefined;
  readonly effect: 'NoSchedule' | 'PreferNoSchedule' | 'NoExecute';
}

/** What a node learns from its VM's customData. */
export interface NodeBootstrap {
  /** `--hostname-override`; without it a node is named after its VM's computer name, in lower case. */
  readonly nodeName: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
  /** In the order of `--register-with-taints`. */
  readonly taints: readonly BootstrapTaint[];
  /** 110 when the flag is missing, as the kubelet has it. */
  readonly maxPods: number;
  /** Resource → quantity as written: `{cpu: '100m', memory: '1843Mi'}`. */
  readonly kubeReserved: Readonly<Record<string, string>>;
  readonly systemReserved: Readonly<Record<string, string>>;
  /** Signal → threshold as written: `{'memory.available': '750Mi'}`. */
  readonly evictionHard: Readonly<Record<string, string>>;
  readonly clusterDns: string | undefined;
  /** Host that the kubelet joins. */
  readonly apiServerName: string;
  readonly bootstrapToken: string | undefined;
  /** The certificate authority that the kubelet trusts, base64 of PEM. */
  readonly caCertificate: string | undefined;
  /** Without a leading `v`. */
  readonly kubernetesVersion: string | undefined;
  /** All flags: name without dashes → value; a flag without `=` is `'true'`. */
  readonly kubeletFlags: Readonly<Record<string, string>>;
  readonly settings: AppliedSettings;
}

const decodeScript = (customData: string): string => {
  const compact = customData.replace(/\s+/g, '');
  if (compact === '' || compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(compact)) {
    throw new BootstrapError('NotBase64', 'customData is no base64 text');
  }
  const script = Buffer.from(compact, 'base64').toString('utf8');
  if (!script.startsWith('#!')) {
    throw new BootstrapError('NotAScript', `customData decodes to "${script.slice(0, 20)}…", expected a script that starts with #!`);
  }
  return script;
};

const pairsOf = (text: string, separator: string): Readonly<Record<string, string>> => {
  const pairs: Record<string, string> = {};
  for (const item of text.split(',').filter((part) => part !== '')) {
    const at = item.indexOf(separator);
    if (at <= 0) throw new BootstrapError('MalformedFlag', `"${item}" in "${text}" lacks a name and "${separator}"`);
    pairs[item.slice(0, at)] = item.slice(at + 1);
  }
  return pairs;
};

const flagsOf = (text: string): Readonly<Record<string, string>> => {
  const flags: Record<string, string> = {};
  for (const word of text.split(/\s+/).filter((part) => part !== '')) {
    const flag = /^--([a-z0-9-]+)(?:=(.*))?$/.exec(word);
    if (!flag) throw new BootstrapError('MalformedFlag', `KUBELET_FLAGS holds "${word}", expected --name=value`);
    flags[flag[1] ?? ''] = flag[2] ?? 'true';
  }
  return flags;
};

const LABEL_VALUE = /^([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/;

const labelsOf = (text: string): Readonly<Record<string, string>> => {
  const labels: Record<string, string> = {};
  for (const item of text.split(',').filter((part) => part !== '')) {
    const at = item.indexOf('=');
    const value = item.slice(at + 1);
    if (at <= 0 || !LABEL_VALUE.test(value))
      throw new BootstrapError('MalformedLabel', `KUBELET_NODE_LABELS holds "${item}", expected key=value`);
    labels[item.slice(0, at)] = value;
  }
  return labels;
};

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

const taintOf = (text: string): BootstrapTaint => {
  const parts = /^([^=:]+)(?:=([^:]*))?:([A-Za-z]+)$/.exec(text);
  const effect = EFFECTS.find((known) => known === parts?.[3]);
  if (!parts?.[1] || effect === undefined) {
    throw new BootstrapError('MalformedTaint', `--register-with-taints holds "${text}", expected key=value:Effect`);
  }
  return { key: parts[1], value: parts[2] === '' ? undefined : parts[2], effect };
};

const maxPodsOf = (flag: string | undefined): number => {
  const maxPods = Number(flag ?? 110);
  if (!Number.isInteger(maxPods) || maxPods < 0)
    throw new BootstrapError('MalformedFlag', `--max-pods is "${flag ?? ''}", expected a whole number`);
  return maxPods;
};

const required = (variables: ReadonlyMap<string, string>, name: string): string => {
  const value = variables.get(name);
  if (value === undefined || value === '') throw new BootstrapError('MissingVariable', `the bootstrap script sets no ${name}`);
  return value;
};

const present = (text: string | undefined): string | undefined => (text === '' ? undefined : text);

const bootstrapIn = (variables: ReadonlyMap<string, string>): NodeBootstrap => {
  const flags = flagsOf(required(variables, 'KUBELET_FLAGS'));
  const taints = (flags['register-with-taints'] ?? '').split(',').filter((part) => part !== '');
  return {
    nodeName: flags['hostname-override'],
    labels: labelsOf(required(variables, 'KUBELET_NODE_LABELS')),
    taints: taints.map(taintOf),
    maxPods: maxPodsOf(flags['max-pods']),
    kubeReserved: pairsOf(flags['kube-reserved'] ?? '', '='),
    systemReserved: pairsOf(flags['system-reserved'] ?? '', '='),
    evictionHard: pairsOf(flags['eviction-hard'] ?? '', '<'),
    clusterDns: flags['cluster-dns'],
    apiServerName: required(variables, 'API_SERVER_NAME'),
    bootstrapToken: present(variables.get('TLS_BOOTSTRAP_TOKEN')),
    caCertificate: present(variables.get('KUBE_CA_CRT')),
    kubernetesVersion: present(variables.get('KUBERNETES_VERSION')),
    kubeletFlags: flags,
    settings: appliedSettingsOf(variables, flags),
  };
};

/**
 * Reads customData (base64 of the bash script that AgentBaker's node images run) as the node itself would: from the
 * variables that the script sets.
 *
 * Errors: `BootstrapError`; such a machine would boot and never join.
 */
export const decodeBootstrap = (customData: string): NodeBootstrap => {
  const script = decodeScript(customData);
  const variables = shellAssignments(script);
  const bootstrap = bootstrapIn(variables);
  requireImageScripts(script, variables);
  return bootstrap;
};

const TOKEN = /^[a-z0-9]{6}\.[a-z0-9]{16}$/;

/**
 * Reads the command of a script extension in the same way. Errors: `BootstrapError`, also for a token that was not
 * filled in.
 */
export const decodeCommand = (command: string): NodeBootstrap => {
  const bootstrap = bootstrapIn(shellAssignments(command));
  if (TOKEN.test(bootstrap.bootstrapToken ?? '')) return bootstrap;
  throw new BootstrapError(
    'MissingVariable',
    `the command sets TLS_BOOTSTRAP_TOKEN to "${bootstrap.bootstrapToken ?? ''}", which is no token`,
  );
};

/** Whether a machine with such customData waits for a script extension to make it a node. */
export const awaitsCommand = (customData: string): boolean =>
  Buffer.from(customData, 'base64').toString('utf8').startsWith('#cloud-config');
