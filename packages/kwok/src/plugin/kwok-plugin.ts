import { readFileSync } from 'node:fs';
import type { ProviderOption, ProviderPlugin } from '@karpenter/core/provider-kit';
import { errorMessage } from '@karpenter/runtime';
import { kwokNodeClassKind } from '../apis/kwok-node-class.ts';
import { genericTypes } from '../instance-types/generic-types.ts';
import { type ParsedInstanceTypes, parseInstanceTypes } from '../instance-types/parse-instance-types.ts';
import { KwokProvider } from '../provider/kwok-provider.ts';

const instanceTypesFile = {
  flag: 'instance-types-file-path',
  env: 'INSTANCE_TYPES_FILE_PATH',
  help: 'JSON file with the instance types on offer; without one there are 144 generic ones',
  defaultText: '',
} as const satisfies ProviderOption;

const readFile = (path: string): ParsedInstanceTypes => {
  try {
    return parseInstanceTypes(readFileSync(path, 'utf8'));
  } catch (error) {
    return { ok: false, problem: errorMessage(error) };
  }
};

/** The provider for nodes that kwok keeps alive, as the controller loads it. */
export const kwokProviderPlugin: ProviderPlugin = {
  contractVersion: 1,
  title: 'kwok',
  options: [instanceTypesFile],
  nodeClassKinds: [kwokNodeClassKind],
  kinds: [{ ...kwokNodeClassKind, namespaced: false }],
  configure: ({ flags, env }) => {
    const path = flags[instanceTypesFile.flag] ?? env[instanceTypesFile.env] ?? '';
    const parsed: ParsedInstanceTypes = path === '' ? { ok: true, entries: genericTypes() } : readFile(path);
    if (!parsed.ok) return { ok: false, problems: [`--${instanceTypesFile.flag} ${path}: ${parsed.problem}`] };
    const { entries: instanceTypes } = parsed;
    return {
      ok: true,
      about: { instanceTypes: instanceTypes.length },
      create: ({ kube, clock, logger }) => ({
        provider: new KwokProvider({ kube, clock, logger, instanceTypes }),
        controllers: [],
        singletons: [],
        start: () => Promise.resolve(),
      }),
    };
  },
};
