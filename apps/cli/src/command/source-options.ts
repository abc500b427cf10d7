import { type Command, Option } from 'commander';
import type { KubeObject } from '@karpenter/runtime';
import type { Catalog } from '../catalog/catalog.ts';
import { CommandError, COMMAND_EXIT } from '../exit-code.ts';
import { fileReader } from '../read/file-reader.ts';
import { readManifests } from '../read/manifests.ts';
import { missingClasses, refuseMissingKinds } from '../read/missing-kinds.ts';
import { overlayReader } from '../read/overlay-reader.ts';
import { type ClusterSource, openCluster, type OpenedCluster } from '../read/opened-cluster.ts';
import { fold, jsonText, visibleIn } from '../render/paper.ts';
import type { World } from './world.ts';

/** The flags that every command on a cluster takes. */
export interface SourceFlags {
  readonly from?: readonly string[];
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly region?: string;
  readonly instanceTypes?: string;
  readonly output: 'text' | 'json';
}

/** Flags, and what takes the place of a cluster or changes it. */
export interface ClusterChoice extends SourceFlags {
  /** These are the cluster; nothing else is read. */
  readonly objects?: readonly KubeObject[];
  /** Count as applied to the cluster. */
  readonly manifests?: readonly KubeObject[];
}

/** Whether the flags name a cluster. */
export const isOnCluster = ({ from, kubeconfig, context }: SourceFlags): boolean =>
  from !== undefined || kubeconfig !== undefined || context !== undefined;

/** In which form an answer is written. */
export const outputOption = (): Option =>
  new Option('-o, --output <format>', 'text for people, json for programs').choices(['text', 'json']).default('text');

/** Adds the flags that say which cluster is read, and how the answer is written. */
export const withSourceOptions = (command: Command): Command =>
  command
    .option('--from <file...>', 'read the cluster from what `kubectl get -o json` wrote; - is standard input')
    .option('--kubeconfig <file>', 'kubeconfig of the cluster; default: as kubectl')
    .option('--context <name>', 'context of the kubeconfig')
    .option('--region <name>', 'Azure region whose sizes and prices count; default: the one of the nodes')
    .option('--instance-types <file>', 'instance types and prices in place of the catalog, as JSON')
    .addOption(outputOption());

/** The catalogs of the providers, or the only one that counts. */
const catalogsOf = async (
  { instanceTypes, region }: SourceFlags,
  { readText }: World,
): Promise<{ readonly catalogs: readonly Catalog[]; readonly onlyCatalog?: Catalog }> => {
  const { fileCatalog, kwokCatalog } = await import('../catalog/kwok-catalog.ts');
  if (instanceTypes !== undefined) {
    const onlyCatalog = await fileCatalog(instanceTypes, readText);
    return { catalogs: [onlyCatalog], onlyCatalog };
  }
  const { azureCatalog } = await import('../catalog/azure-catalog.ts');
  return { catalogs: [azureCatalog(region), kwokCatalog()] };
};

/** The manifest as the API server and the controllers of its provider keep it. */
const stored = (manifest: KubeObject, catalogs: readonly Catalog[]): KubeObject => {
  const catalog = catalogs.find(
    ({ nodeClassKind: { group, kind } }) => manifest.kind === kind && manifest.apiVersion.startsWith(`${group}/`),
  );
  return (catalog?.storedClass?.(manifest) ?? manifest) as KubeObject;
};

/** Files without any of these were not written for this program. */
const KINDS_OF_CLUSTERS: ReadonlySet<string> = new Set(['Node', 'NodeClaim', 'NodePool', 'Pod']);

/** Where a cluster is read from, and what else has to be closed. */
interface OpenedReader extends Pick<ClusterSource, 'reader' | 'failed' | 'lostSinceMs' | 'namespace'> {
  readonly close: () => Promise<void>;
}

const openReader = async (flags: ClusterChoice, { readText, complain }: World, catalogs: readonly Catalog[]): Promise<OpenedReader> => {
  if (flags.objects !== undefined) return { reader: fileReader(flags.objects), close: () => Promise.resolve() };
  if (flags.from !== undefined) {
    if (flags.kubeconfig !== undefined || flags.context !== undefined) {
      throw new CommandError(COMMAND_EXIT.usage, '--from reads files: --kubeconfig and --context say nothing there');
    }
    const objects = await readManifests(flags.from, readText);
    if (objects.length > 0 && !objects.some(({ kind }) => KINDS_OF_CLUSTERS.has(kind)))
      throw new CommandError(COMMAND_EXIT.unreadable, `${flags.from.join(', ')}: there is no node, pod or NodePool in it`);
    refuseMissingKinds(flags.from, objects);
    const classes = missingClasses(objects);
    if (classes.length > 0)
      complain(`${flags.from.join(', ')}: NodePools refer to ${classes.join(', ')}, which it does not hold; defaults count`);
    return { reader: fileReader(objects), close: () => Promise.resolve() };
  }
  const { liveReader } = await import('../read/live-reader.ts');
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  const { reader, close, lostSinceMs, namespace } = await liveReader({
    ...flags,
    nodeClassKinds: catalogs.map(({ nodeClassKind }) => nodeClassKind),
    onFailure: failure.reject,
  });
  return { reader, close, lostSinceMs, namespace, failed: failure.promise };
};

/**
 * Opens the cluster that the flags name, asks it, and closes it.
 * Errors: CommandError.
 */
export const withCluster = async <T>(flags: ClusterChoice, world: World, ask: (cluster: OpenedCluster) => Promise<T>): Promise<T> => {
  const sold = await catalogsOf(flags, world);
  const { reader: given, close, ...read } = await openReader(flags, world, sold.catalogs);
  const { manifests } = flags;
  const reader =
    manifests === undefined
      ? given
      : overlayReader(
          given,
          manifests.map((each) => stored(each, sold.catalogs)),
        );
  try {
    await using cluster = await openCluster({ reader, clock: world.clock, ...sold, ...read });
    return await ask(cluster);
  } finally {
    await close();
  }
};

/** Writes an answer in the requested format. */
export const writeAnswer = <T>(
  answer: T,
  { flags, world, text }: { readonly flags: SourceFlags; readonly world: World; readonly text: (answer: T) => string },
): void => world.out.write(flags.output === 'json' ? jsonText(answer) : fold(text(visibleIn(answer)), world.out));
