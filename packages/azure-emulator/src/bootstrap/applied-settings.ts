import { BootstrapError } from './bootstrap-error.ts';

/** What the scripts of an AKS node image make of a node beside its kubelet's flags. */
export interface AppliedSettings {
  /** Name of the kernel → value as written. */
  readonly sysctls: Readonly<Record<string, string>>;
  /** As written to `/sys/kernel/mm/transparent_hugepage`; a missing one stays as the image has it. */
  readonly transparentHugePages: { readonly enabled?: string; readonly defrag?: string };
  /** 0: no swap. */
  readonly swapFileSizeMB: number;
  /** The kubelet's configuration file; empty without one. */
  readonly kubeletConfig: Readonly<Record<string, unknown>>;
  /** Of the node's DNS cache; absent: it has none. */
  readonly corefile?: string;
  /** As the services and the logins of the node have them; absent: it reaches everything directly. */
  readonly proxy?: { readonly http: string; readonly https: string; readonly direct: readonly string[] };
  /** PEM, in order: that of the proxy first. */
  readonly trusted: readonly string[];
}

type Variables = ReadonlyMap<string, string>;

const malformed = (message: string): BootstrapError => new BootstrapError('MalformedSetting', message);

const isOn = (variables: Variables, name: string): boolean => variables.get(name) === 'true';

const decodeVariable = (variables: Variables, name: string): string => {
  const value = variables.get(name) ?? '';
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(value) || value.length % 4 !== 0) throw malformed(`${name} is no base64 text`);
  return Buffer.from(value, 'base64').toString('utf8');
};

/**
 * `sysctl --system` fails on a line without a setting, and the scripts end with it. Comments begin with `#` or `;`
 * (sysctl.conf(5)).
 */
const sysctlsOf = (variables: Variables): AppliedSettings['sysctls'] => {
  const lines = decodeVariable(variables, 'SYSCTL_CONTENT')
    .split('\n')
    .filter((line) => !/^\s*([#;]|$)/.test(line));
  const pairs = lines.map((line) => {
    const [, name, value] = /^((?:[a-z0-9_-]+\.)+[a-z0-9_-]+)\s*=\s*(-?\d+(?: \d+)?)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) throw malformed(`SYSCTL_CONTENT holds "${line}", expected name=number`);
    return [name, value] as const;
  });
  return Object.fromEntries(pairs);
};

const HUGE_PAGES = {
  THP_ENABLED: ['always', 'madvise', 'never'],
  THP_DEFRAG: ['always', 'defer', 'defer+madvise', 'madvise', 'never'],
} as const;

/** The kernel takes no other words: the write fails, and the scripts end with it. */
const hugePage = (variables: Variables, name: keyof typeof HUGE_PAGES): string | undefined => {
  const value = variables.get(name) ?? '';
  if (value === '') return undefined;
  if ((HUGE_PAGES[name] as readonly string[]).includes(value)) return value;
  throw malformed(`${name} is "${value}", expected one of ${HUGE_PAGES[name].join(', ')}`);
};

const hugePagesOf = (variables: Variables): AppliedSettings['transparentHugePages'] => {
  if (!isOn(variables, 'SHOULD_CONFIG_TRANSPARENT_HUGE_PAGE')) return {};
  const enabled = hugePage(variables, 'THP_ENABLED');
  const defrag = hugePage(variables, 'THP_DEFRAG');
  return { ...(enabled !== undefined && { enabled }), ...(defrag !== undefined && { defrag }) };
};

const swapOf = (variables: Variables): number => {
  if (!isOn(variables, 'SHOULD_CONFIG_SWAP_FILE')) return 0;
  const size = variables.get('SWAP_FILE_SIZE_MB') ?? '';
  if (/^[1-9]\d*$/.test(size)) return Number(size);
  throw malformed(`SWAP_FILE_SIZE_MB is "${size}", expected a number above 0`);
};

const kubeletConfigOf = (variables: Variables): AppliedSettings['kubeletConfig'] => {
  if (!isOn(variables, 'KUBELET_CONFIG_FILE_ENABLED')) return {};
  try {
    const config = JSON.parse(decodeVariable(variables, 'KUBELET_CONFIG_FILE_CONTENT')) as Readonly<Record<string, unknown>>;
    if (config['kind'] === 'KubeletConfiguration' && config['apiVersion'] === 'kubelet.config.k8s.io/v1beta1') return config;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw malformed('KUBELET_CONFIG_FILE_CONTENT is no KubeletConfiguration of kubelet.config.k8s.io/v1beta1');
};

const corefileOf = (variables: Variables): string | undefined => {
  if (!isOn(variables, 'SHOULD_ENABLE_LOCALDNS')) return undefined;
  const corefile = decodeVariable(
    variables,
    variables.has('LOCALDNS_COREFILE_BASE') ? 'LOCALDNS_COREFILE_BASE' : 'LOCALDNS_GENERATED_COREFILE',
  );
  if (corefile === '') throw malformed('SHOULD_ENABLE_LOCALDNS is true, and there is no LOCALDNS_GENERATED_COREFILE');
  return corefile;
};

const proxyOf = (variables: Variables): AppliedSettings['proxy'] => {
  if (!isOn(variables, 'SHOULD_CONFIGURE_HTTP_PROXY')) return undefined;
  const [http = '', https = '', direct = ''] = ['HTTP_PROXY_URLS', 'HTTPS_PROXY_URLS', 'NO_PROXY_URLS'].map((name) => variables.get(name));
  return { http, https, direct: direct.split(',').filter((entry) => entry !== '') };
};

const certificateIn = (variables: Variables, name: string): string => {
  const pem = decodeVariable(variables, name);
  if (pem.startsWith('-----BEGIN CERTIFICATE-----')) return pem;
  throw malformed(`${name} is no certificate`);
};

const trustedOf = (variables: Variables): AppliedSettings['trusted'] => {
  const ofProxy = isOn(variables, 'SHOULD_CONFIGURE_HTTP_PROXY') && isOn(variables, 'SHOULD_CONFIGURE_HTTP_PROXY_CA');
  const count = isOn(variables, 'SHOULD_CONFIGURE_CUSTOM_CA_TRUST') ? Number(variables.get('CUSTOM_CA_TRUST_COUNT')) : 0;
  const names = Array.from({ length: count }, (_none, index) => `CUSTOM_CA_CERT_${String(index)}`);
  return [...(ofProxy ? ['HTTP_PROXY_TRUSTED_CA'] : []), ...names].map((name) => certificateIn(variables, name));
};

/**
 * What a node is set up with by its variables. Throws `BootstrapError` where the scripts of the image, or the kubelet
 * after them, end in failure. Source: AgentBaker, `cse_main.sh` and `cse_config.sh`; Kubernetes, "swap memory
 * management" (`failSwapOn`).
 */
export const appliedSettingsOf = (variables: Variables, kubeletFlags: Readonly<Record<string, string>>): AppliedSettings => {
  const kubeletConfig = kubeletConfigOf(variables);
  const swapFileSizeMB = swapOf(variables);
  const takesSwap = kubeletFlags['fail-swap-on'] === 'false' || kubeletConfig['failSwapOn'] === false;
  if (swapFileSizeMB > 0 && !takesSwap) {
    throw new BootstrapError('SwapRefused', 'the node has a swap file, and its kubelet does not start on a machine with swap');
  }
  const corefile = corefileOf(variables);
  const proxy = proxyOf(variables);
  return {
    sysctls: sysctlsOf(variables),
    transparentHugePages: hugePagesOf(variables),
    swapFileSizeMB,
    kubeletConfig,
    ...(corefile !== undefined && { corefile }),
    ...(proxy && { proxy }),
    trusted: trustedOf(variables),
  };
};
