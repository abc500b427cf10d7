import { labels, type NodeClaim, type Pod } from '@karpenter/core';
import { genericTypes } from '@karpenter/kwok';
import { type CacheChange, createObjectCache, type KubeClient, type KubeObject, systemClock } from '@karpenter/runtime';

interface PodRow {
  readonly isBound: boolean;
  readonly isCounted: boolean;
}

interface ClaimRow {
  /** 0 until the claim's labels name what was bought. */
  pricePerHour: number;
  readonly fromMs: number;
  toMs?: number;
}

const HOUR_MS = 3_600_000;

const prices = new Map(
  genericTypes().flatMap(({ name, offerings }) =>
    offerings.map(({ zone, capacityType, pricePerHour }) => [`${name}/${zone}/${capacityType}`, pricePerHour] as const),
  ),
);

const priceOf = ({ metadata: { labels: own = {} } }: NodeClaim): number =>
  prices.get(`${own[labels.instanceType] ?? ''}/${own[labels.zone] ?? ''}/${own[labels.capacityType] ?? ''}`) ?? 0;

const podRow = ({ metadata, spec, status }: Pod): PodRow => ({
  isBound: spec.nodeName !== undefined && metadata.deletionTimestamp === undefined,
  isCounted:
    metadata.deletionTimestamp === undefined &&
    !(metadata.ownerReferences ?? []).some(({ kind }) => kind === 'DaemonSet') &&
    status?.phase !== 'Failed',
});

/** What happens in a cluster, followed from outside: pods, nodes, and what machines cost. */
export class ClusterLedger implements AsyncDisposable {
  /** When nodes or claims last came or went, Unix ms. */
  lastChangeMs = Date.now();
  #mostNodes = 0;
  readonly #claims = new Map<string, ClaimRow>();
  readonly #pods;
  readonly #nodes;
  readonly #stop = new AbortController();
  readonly #running: Promise<unknown>;

  constructor(client: KubeClient) {
    const followed = { client, clock: systemClock };
    this.#pods = createObjectCache<Pod & KubeObject, PodRow>({ ...followed, kind: 'Pod', transform: podRow });
    this.#nodes = createObjectCache<KubeObject>({ ...followed, kind: 'Node' });
    const claims = createObjectCache<NodeClaim & KubeObject>({ ...followed, kind: 'NodeClaim' });
    claims.subscribe((change) => this.#record(change));
    this.#nodes.subscribe(({ type }) => {
      if (type !== 'updated') this.lastChangeMs = Date.now();
      this.#mostNodes = Math.max(this.#mostNodes, this.#nodes.size);
    });
    this.#running = Promise.all([this.#pods, this.#nodes, claims].map((cache) => cache.run(this.#stop.signal)));
    this.#running.catch(() => undefined);
  }

  get nodeCount(): number {
    return this.#nodes.size;
  }

  /** The most at once since the last reset. */
  get mostNodes(): number {
    return this.#mostNodes;
  }

  resetMostNodes(): void {
    this.#mostNodes = this.#nodes.size;
  }

  /** Pods of workloads, daemons apart. */
  podCounts(): { readonly bound: number; readonly all: number } {
    const counted = this.#pods.list().filter(({ isCounted }) => isCounted);
    return { bound: counted.filter(({ isBound }) => isBound).length, all: counted.length };
  }

  /** Machines launched so far. */
  get launches(): number {
    return this.#claims.size;
  }

  /** Of the machines that there are now. */
  get pricePerHour(): number {
    return [...this.#claims.values()].reduce((sum, { toMs, pricePerHour }) => (toMs === undefined ? sum + pricePerHour : sum), 0);
  }

  /** What all machines have cost until now, from launch to end. */
  dollars(): number {
    const now = Date.now();
    return [...this.#claims.values()].reduce(
      (sum, { pricePerHour, fromMs, toMs = now }) => sum + (pricePerHour * (toMs - fromMs)) / HOUR_MS,
      0,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#running.catch(() => undefined);
  }

  #record({ type, object }: CacheChange<NodeClaim & KubeObject>): void {
    if (type !== 'updated') this.lastChangeMs = Date.now();
    const key = object.metadata.uid ?? object.metadata.name;
    const row = this.#claims.get(key);
    if (row !== undefined) {
      if (row.pricePerHour === 0) row.pricePerHour = priceOf(object);
      if (type === 'deleted') row.toMs = Date.now();
    } else if (object.status?.providerID !== undefined && type !== 'deleted')
      this.#claims.set(key, { pricePerHour: priceOf(object), fromMs: Date.now() });
  }
}
