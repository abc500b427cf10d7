import {
  type ClusterSnapshot,
  defaultLabelCatalog,
  defaultSchedulingPolicy,
  type InstanceType,
  labels,
  type Node,
  type NodePool,
  type Pod,
  type SchedulingPolicy,
} from '@karpenter/core';
import { ClusterState, followKinds } from '@karpenter/core/controllers';
import type { FollowChoice, UnsupportedVolumes } from '@karpenter/core/internal';
import { type Clock, KubeError, silentLogger } from '@karpenter/runtime';
import type { Catalog, CatalogQuestion } from '../catalog/catalog.ts';
import { offlineProvider } from '../catalog/offline-provider.ts';
import { CommandError, COMMAND_EXIT } from '../exit-code.ts';
import { resolveBuffers } from './buffer-references.ts';
import type { ClusterReader } from './file-reader.ts';
import { overlaidTypes } from './overlaid-types.ts';

/** What a cluster is opened with. */
export interface ClusterSource {
  readonly reader: ClusterReader;
  readonly clock: Clock;
  readonly catalogs: readonly Catalog[];
  /** The catalog for pools of every provider, whatever class they refer to. */
  readonly onlyCatalog?: Catalog;
  /** Rejects when a first read fails. */
  readonly failed?: Promise<never>;
  /** Of the context; `default` when left out. */
  readonly namespace?: string | undefined;
  /** Since when no list has succeeded; undefined while the API server answers. */
  readonly lostSinceMs?: () => number | undefined;
}

/** A cluster as the controller sees it, in the same state and the same snapshots. */
export interface OpenedCluster extends AsyncDisposable {
  readonly policy: SchedulingPolicy;
  /** Where pods are searched for that are named without one. */
  readonly namespace: string;
  /** The catalog that a pool's types come from. */
  readonly catalogOf: (nodePool: NodePool) => Catalog | undefined;
  /** What that catalog is, for people. */
  readonly catalogTitleOf: (nodePool: NodePool) => string | undefined;
  /** The class that a pool or claim refers to; undefined where nobody knows it. */
  readonly nodeClassOf: (ref: NodeClassRef) => object | undefined;
  /** The catalog of a class's provider. */
  readonly classCatalogOf: (ref: Pick<NodeClassRef, 'group' | 'kind'>) => Catalog | undefined;
  readonly snapshot: () => Promise<ClusterSnapshot>;
  node(name: string): Node | undefined;
  pods(): readonly Pod[];
  nodePools(): readonly NodePool[];
  /** Calls `changed` when a pod, node or claim changes. */
  onChange(changed: () => void): void;
  /** Since when the API server does not answer; undefined while it does. */
  lostSinceMs(): number | undefined;
}

type NodeClassRef = NodePool['spec']['template']['spec']['nodeClassRef'];

/**
 * What a controller follows by default. NodeOverlays count where the controller says so in their status; no
 * command plans by what picks pods for a default spread.
 */
const FOLLOWED: FollowChoice = { overlays: true, buffers: true, podGroups: true, devices: true, podSelectors: false };

const NOMINATION_MS = 20_000;
const SYNC_MS = 30_000;

const unique = <T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] => [
  ...new Map(items.map((item) => [keyOf(item), item])).values(),
];

/** The region that most nodes are in. */
const regionOf = (nodes: readonly Node[]): string | undefined => {
  const counts = new Map<string, number>();
  for (const { metadata } of nodes) {
    const region = metadata.labels?.[labels.region];
    if (region !== undefined) counts.set(region, (counts.get(region) ?? 0) + 1);
  }
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))[0]?.[0];
};

type Followed = ReturnType<typeof followKinds>;

const providerOf = ({ catalogs, onlyCatalog }: ClusterSource, { caches }: Followed) => {
  const catalogOf = ({ spec }: NodePool): Catalog | undefined => {
    const { group } = spec.template.spec.nodeClassRef;
    return onlyCatalog ?? catalogs.find(({ nodeClassKind }) => nodeClassKind.group === group);
  };
  const nodeClassOf = ({ kind, name }: NodeClassRef): object | undefined => caches.nodeClasses.get(kind)?.get({ name });
  const questionOf = ({ spec }: NodePool): CatalogQuestion => ({
    nodeClass: nodeClassOf(spec.template.spec.nodeClassRef),
    region: regionOf(caches.nodes.list()),
  });
  const typesFor = async (nodePool: NodePool): Promise<readonly InstanceType[]> => {
    const catalog = catalogOf(nodePool);
    if (catalog === undefined) return [];
    const { labelCatalog } = catalog;
    const overlays = caches.nodeOverlays?.list() ?? [];
    return overlaidTypes(await catalog.typesFor(nodePool, questionOf(nodePool)), { nodePool, overlays, labelCatalog });
  };
  const nodeClassKinds = () => {
    const refs = caches.nodePools.list().map(({ spec }) => spec.template.spec.nodeClassRef);
    return unique(refs, ({ group, kind }) => `${group}/${kind}`).map(({ group, kind }) => ({ group, kind, version: '', plural: '' }));
  };
  const all = onlyCatalog === undefined ? catalogs : [onlyCatalog];
  const titleFor = (nodePool: NodePool): string | undefined => catalogOf(nodePool)?.titleOf(questionOf(nodePool));
  const provider = offlineProvider({ catalogs: all, typesFor, nodeClassKinds }, defaultLabelCatalog);
  return { catalogOf, nodeClassOf, titleFor, provider };
};

/** What the providers of the pools say of volumes. */
const unsupportedVolumesOf = (catalogs: readonly (Catalog | undefined)[]): UnsupportedVolumes => {
  const stated = [...new Set(catalogs)].flatMap((catalog) => catalog?.unsupportedVolumes ?? []);
  const union = (key: keyof UnsupportedVolumes): ReadonlySet<string> => new Set(stated.flatMap((each) => [...(each[key] ?? [])]));
  return { provisioners: union('provisioners'), topologyKeys: union('topologyKeys') };
};

/**
 * Reads until every kind is there, NodePools before all others: by their classes claims are known as Karpenter's.
 * Errors: CommandError.
 */
const sync = async ({ all }: Followed, { failed, clock }: ClusterSource, run: (cache: Followed['all'][number]) => void): Promise<void> => {
  const done = new AbortController();
  const tooLate = clock.sleep(SYNC_MS, done.signal).then(() => {
    throw new CommandError(COMMAND_EXIT.unreadable, `the cluster was not read within ${SYNC_MS / 1000} s`);
  });
  tooLate.catch(() => undefined);
  const reading = async (caches: Followed['all']): Promise<void> => {
    for (const cache of caches) run(cache);
    await Promise.race([Promise.all(caches.map((cache) => cache.waitForSync())), tooLate, ...(failed === undefined ? [] : [failed])]);
  };
  try {
    await reading(all.filter(({ kind }) => kind === 'NodePool'));
    await reading(all.filter(({ kind }) => kind !== 'NodePool'));
  } finally {
    done.abort();
  }
};

/** A buffer that came since has no room until the API server answers again. */
const whileServerIsAway = (error: unknown): void => {
  if (!(error instanceof KubeError)) throw error;
};

/** Reads a cluster as the controller does: its caches, its state. Dispose of it to stop reading. Errors: CommandError. */
export const openCluster = async (source: ClusterSource): Promise<OpenedCluster> => {
  const { reader, clock, catalogs } = source;
  const kinds = catalogs.map(({ nodeClassKind }) => nodeClassKind);
  const followed = followKinds({ client: reader, clock, logger: silentLogger }, kinds, FOLLOWED);
  const { caches } = followed;
  const { catalogOf, nodeClassOf, titleFor, provider } = providerOf(source, followed);
  const state = new ClusterState({ caches, provider, clock, reporter: { report: () => undefined }, nominationMs: NOMINATION_MS });
  const stopping = new AbortController();
  const running: Promise<void>[] = [];
  try {
    await sync(followed, source, (cache) => running.push(cache.run(stopping.signal)));
    await Promise.race([...(source.failed === undefined ? [] : [source.failed]), resolveBuffers(state, reader, stopping.signal)]);
  } catch (error) {
    stopping.abort();
    throw error;
  }
  const unsupportedVolumes = unsupportedVolumesOf(caches.nodePools.list().map(catalogOf));
  return {
    policy: { ...defaultSchedulingPolicy, labelCatalog: provider.labelCatalog, unsupportedVolumes },
    catalogOf,
    catalogTitleOf: titleFor,
    nodeClassOf,
    classCatalogOf: (ref) => catalogs.find(({ nodeClassKind: { group, kind } }) => ref.group === group && ref.kind === kind),
    async snapshot() {
      await resolveBuffers(state, reader, stopping.signal).catch(whileServerIsAway);
      await state.refreshCatalogs(stopping.signal);
      return state.snapshot(clock.now());
    },
    node: (name) => caches.nodes.get({ name }),
    pods: () => caches.pods.list(),
    nodePools: () => caches.nodePools.list(),
    onChange(changed) {
      for (const cache of [caches.pods, caches.nodes, caches.nodeClaims]) cache.subscribe(changed);
    },
    namespace: source.namespace ?? 'default',
    lostSinceMs: source.lostSinceMs ?? (() => undefined),
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await Promise.all(running);
    },
  };
};
