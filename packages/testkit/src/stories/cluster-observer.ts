import type { NodeClaim, NodePool, Pod } from '@karpenter/core';
import type { KindRef, KubeObject, LocalApi, LocalEvent } from '@karpenter/simulator';
import { isGoing, isRunning } from './cluster-picture.ts';
import type { StoryCluster } from './story-cluster.ts';

const pods: KindRef<Pod & KubeObject> = { kind: 'Pod' };
const claims: KindRef<NodeClaim & KubeObject> = { kind: 'NodeClaim' };
const pools: KindRef<NodePool & KubeObject> = { kind: 'NodePool' };

/** What happened while somebody watched who shares nothing with Karpenter. */
export class ClusterObserver implements Disposable {
  /** Uids of pods that were told to go while they ran. */
  readonly disturbed = new Set<string>();
  /** Names of claims that were made. */
  readonly made = new Set<string>();
  /** What must never be, and was: a sentence each. */
  readonly violations = new Set<string>();
  readonly #local: LocalApi;
  readonly #leastRunning: number;
  readonly #machineOf = new Map<string, string>();
  readonly #watches: readonly Disposable[];

  constructor({ local }: StoryCluster, leastRunning = 0) {
    this.#local = local;
    this.#leastRunning = leastRunning;
    const known = new Set(local.list(claims).map(({ metadata }) => metadata.uid));
    this.#watches = [
      local.watch(pods, (event) => this.#seePod(event)),
      local.watch(claims, (event) => {
        if (event.type === 'ADDED' && !known.has(event.object.metadata.uid)) this.made.add(event.object.metadata.name);
        this.#seeClaim(event.object);
      }),
    ];
  }

  [Symbol.dispose](): void {
    for (const watch of this.#watches) watch[Symbol.dispose]();
  }

  #seePod({ type, object }: LocalEvent<Pod & KubeObject>): void {
    const { uid = '' } = object.metadata;
    if (object.status?.phase === 'Running' && (isGoing(object) || type === 'DELETED')) this.disturbed.add(uid);
    if (this.#leastRunning === 0) return;
    const running = this.#local.list(pods, { namespace: 'default' }).filter(isRunning).length;
    if (running < this.#leastRunning) this.violations.add(`${running} pods run, at least ${this.#leastRunning} should`);
  }

  #seeClaim({ metadata: { name }, status }: NodeClaim): void {
    const { providerID } = status ?? {};
    if (providerID === undefined) return;
    const machine = this.#machineOf.get(name) ?? providerID;
    this.#machineOf.set(name, machine);
    if (machine !== providerID) this.violations.add(`claim ${name} has two machines`);
    for (const pool of this.#local.list(pools)) this.#checkLimits(pool);
  }

  #checkLimits({ metadata, spec }: NodePool): void {
    const staying = this.#local
      .list(claims, { labelSelector: `karpenter.sh/nodepool=${metadata.name}` })
      .filter(
        (claim) =>
          !isGoing(claim) && claim.status?.conditions?.every(({ type, status }) => type !== 'DisruptionReason' || status !== 'True'),
      );
    const cpus = staying.reduce((sum, { status }) => sum + Number(status?.capacity?.['cpu'] ?? 0), 0);
    if (cpus > Number(spec.limits?.['cpu'] ?? Infinity)) this.violations.add(`pool ${metadata.name} has ${cpus} cores`);
    if (staying.length > Number(spec.limits?.['nodes'] ?? Infinity))
      this.violations.add(`pool ${metadata.name} has ${staying.length} nodes`);
  }
}
