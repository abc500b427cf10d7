import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { buildControlPlane, hasControlPlane, KUBERNETES, kwok } from '../../go/control-plane.ts';
import { buildProgram, download, type GoProgram } from '../../go/go-module.ts';

const karpenter: GoProgram = { module: 'sigs.k8s.io/karpenter', version: '1.14.1', main: 'sigs.k8s.io/karpenter/kwok' };

const azure: GoProgram = {
  ...{ module: 'github.com/Azure/karpenter-provider-azure', version: '1.14.0' },
  main: 'github.com/Azure/karpenter-provider-azure/cmd/controller',
};

/** Programs that a comparison runs, all built from published Go modules. */
export interface Programs {
  /** Folder of `etcd` and the control plane. */
  readonly controlPlane: string;
  readonly kwok: string;
  /** The original with its kwok provider. */
  readonly original: string;
  /** CustomResourceDefinitions of the original, as YAML. */
  readonly originalCrds: readonly string[];
  /** What runs in which version. */
  readonly versions: Readonly<Record<string, string>>;
}

const log = (text: string): void => void process.stderr.write(`${text}\n`);

const built = (program: GoProgram, cache: string): string => {
  const name = program.module.slice(program.module.lastIndexOf('/') + 1);
  const path = join(cache, `${name}-${program.version}`, name);
  if (!existsSync(path)) {
    log(`building ${program.main}@v${program.version}`);
    buildProgram(program, path);
  }
  return path;
};

const yamlIn = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));

/** The folder in which programs stay between runs: `KARPENTER_BENCH_CACHE`, or one of the user's. */
export const defaultCache = (): string => process.env['KARPENTER_BENCH_CACHE'] ?? join(homedir(), '.cache', 'karpenter-bench');

const ensureControlPlane = (cache: string): string => {
  const folder = join(cache, `kubernetes-${KUBERNETES}`);
  if (!hasControlPlane(folder)) {
    log(`building etcd and the control plane of Kubernetes v${KUBERNETES}`);
    buildControlPlane(folder);
  }
  return folder;
};

/** Builds what the cache does not have yet. Takes about half an hour on two cores when it is empty; needs Go. */
export const ensurePrograms = (cache: string): Programs => {
  const controlPlane = ensureControlPlane(cache);
  const paths = { kwok: built(kwok, cache), original: built(karpenter, cache) };
  const sources = download(`${karpenter.module}@v${karpenter.version}`).Dir;
  return {
    ...{ controlPlane, ...paths },
    originalCrds: [...yamlIn(join(sources, 'pkg/apis/crds')), ...yamlIn(join(sources, 'kwok/apis/crds'))],
    versions: { kubernetes: KUBERNETES, kwok: kwok.version, original: karpenter.version, node: process.versions.node },
  };
};

/** The original with its Azure provider, and a control plane for it. */
export interface AzurePrograms extends Pick<Programs, 'controlPlane' | 'original' | 'originalCrds'> {
  readonly version: string;
}

/** The same for the original's Azure provider: the newest release whose modules are all published. */
export const ensureAzurePrograms = (cache: string): AzurePrograms => ({
  controlPlane: ensureControlPlane(cache),
  original: built(azure, cache),
  originalCrds: yamlIn(join(download(`${azure.module}@v${azure.version}`).Dir, 'pkg/apis/crds')),
  version: azure.version,
});
