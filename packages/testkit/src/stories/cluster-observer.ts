import { type Node, type NodeClaim, type NodePool, type Pod, resourcesOf } from '@karpenter/core';
import { getOrMake, sumResources } from '@karpenter/core/internal';
import type { KindRef, ApiObject, LocalApi, LocalEvent } from '@karpenter/api-server';
import { hasCondition, isGoing, isRunning } from './cluster-picture.ts';
import type { StoryCluster } from './story-cluster.ts';

const pods: KindRef<Pod & ApiObject> = { kind: 'Pod' };
const nodes: KindRef<Node & ApiObject> = { kind: 'Node' };
const claims: KindRef<NodeClaim & ApiObject> = { kind: 'NodeClaim' };
const pools: KindRef<NodePool & ApiObject> = { kind: 'NodePool' };

interface Attachment extends ApiObject {
  readonly spec: { readonly nodeName: string };
}
const attachments: KindRef<Attachment> = { kind: 'VolumeAttachment', apiVersion: 'storage.k8s.io/v1' };

/** Uids of the pods that a claim was made for. */
const needsOf = ({ metadata }: NodeClaim): readonly string[] =>
  (metadata.annotations?.['karpenter.sh/planned-pods'] ?? '').split(',').filter((uid) => uid !== '');

const shares = (some: readonly string[], others: readonly string[]): boolean => some.some((each) => others.includes(each));

interface Replacing {
  readonly id: string;
  readonly candidates: readonly string[];
}

/** The command that the claim was made for, and what it is to take the place of, as it says. */
const replacedBy = ({ metadata }: NodeClaim): Replacing | undefined => {
  const text = metadata.annotations?.['karpenter.sh/replaces'];
  return text === undefined ? undefined : (JSON.parse(text) as Replacing);
};

/** Whether two commands replace one node. */
const areAtOdds = (a: Replacing | undefined, b: Replacing | undefined): boolean =>
  a !== undefined && b !== undefined && a.id !== b.id && shares(a.candidates, b.candidates);

/** Neither at work nor on its way out. */
const isComing = (claim: NodeClaim): boolean => !isGoing(claim) && !hasCondition(claim, 'Initialized');

const isAbandoned = (claim: NodeClaim): boolean => isGoing(claim) || hasCondition(claim, 'DisruptionReason');

/** As in the original, a node whose machine is terminating no longer counts. */
const countsForBudgets = (claim: NodeClaim): boolean => hasCondition(claim, 'Initialized') && !hasCondition(claim, 'InstanceTerminating');

/** What users may rely on. */
export interface Guarantees {
  /** The least number of pods with the label `app=inflate` that run at any time, by their PodDisruptionBudget. */
  readonly leastRunning?: number | undefined;
  /** The most nodes that are deleted at a time, by the budget of their pool. */
  readonly mostGoing?: number | undefined;
}

/** Watches a story independently of Karpenter, and collects violations. */
export class ClusterObserver implements Disposable {
  /** Uids of pods that were deleted while they ran. */
  readonly disturbed = new Set<string>();
  /** Names of claims that were created. */
  readonly made = new Set<string>();
  /** Invariants that were violated: a sentence each. */
  readonly violations = new Set<string>();
  readonly #local: LocalApi;
  readonly #guarantees: Guarantees;
  readonly #machineOf = new Map<string, string>();
  readonly #watches: readonly Disposable[];

  constructor({ local, cloud }: StoryCluster, guarantees: Guarantees = {}) {
    this.#local = local;
    this.#guarantees = guarantees;
    const known = new Set(local.list(claims).map(({ metadata }) => metadata.uid));
    this.#watches = [
      local.watch(pods, (event) => this.#seePod(event)),
      local.watch(attachments, ({ type, object: { spec } }) => {
        const isTornOff = type === 'DELETED' && cloud.cloud.machineOf(spec.nodeName) === undefined;
        if (isTornOff) this.violations.add(`the machine of ${spec.nodeName} went before its disks were detached`);
      }),
      local.watch(claims, (event) => {
        if (event.type === 'ADDED' && !known.has(event.object.metadata.uid)) this.#seeNewClaim(event.object);
        this.#seeClaim(event.object);
      }),
    ];
  }

  [Symbol.dispose](): void {
    for (const watch of this.#watches) watch[Symbol.dispose]();
  }

  #seePod({ type, object }: LocalEvent<Pod & ApiObject>): void {
    const { uid = '' } = object.metadata;
    if (object.status?.phase === 'Running' && (isGoing(object) || type === 'DELETED')) this.disturbed.add(uid);
    const { leastRunning = 0 } = this.#guarantees;
    if (leastRunning === 0) return;
    const running = this.#local.list(pods, { namespace: 'default', labelSelector: 'app=inflate' }).filter(isRunning).length;
    if (running < leastRunning) this.violations.add(`${running} pods run, at least ${leastRunning} should`);
  }

  #seeNewClaim(claim: NodeClaim): void {
    this.made.add(claim.metadata.name);
    const waiting = new Set(
      this.#local.list(pods).flatMap(({ metadata: { uid = '' }, spec }) => (spec.nodeName === undefined ? [uid] : [])),
    );
    const needs = needsOf(claim).filter((uid) => waiting.has(uid));
    const others = this.#local.list(claims).filter((other) => other.metadata.name !== claim.metadata.name && isComing(other));
    for (const other of others) {
      if (shares(needsOf(other), needs) && !this.#isOpen(other))
        this.violations.add(`${other.metadata.name} and ${claim.metadata.name} are for one pod`);
      if (areAtOdds(replacedBy(other), replacedBy(claim)))
        this.violations.add(`${other.metadata.name} and ${claim.metadata.name} replace one node`);
    }
  }

  /**
   * Whether kube-scheduler deals out the room of the claim's node by now, to other pods as well. The node says so
   * before its claim does.
   */
  #isOpen({ status }: NodeClaim): boolean {
    const { providerID } = status ?? {};
    const node = this.#local.list(nodes).find(({ spec }) => providerID !== undefined && spec?.providerID === providerID);
    return node?.metadata.labels?.['karpenter.sh/initialized'] === 'true';
  }

  #seeClaim({ metadata: { name }, status }: NodeClaim): void {
    const { providerID } = status ?? {};
    if (providerID !== undefined) {
      const machine = getOrMake(this.#machineOf, name, () => providerID);
      if (machine !== providerID) this.violations.add(`claim ${name} has two machines`);
    }
    for (const pool of this.#local.list(pools)) this.#checkLimits(pool);
    const { mostGoing = Number.POSITIVE_INFINITY } = this.#guarantees;
    const going = this.#local.list(claims).filter((claim) => countsForBudgets(claim) && isAbandoned(claim));
    if (going.length > mostGoing) this.violations.add(`${going.length} nodes are deleted at a time, ${mostGoing} may be`);
  }

  #checkLimits({ metadata, spec }: NodePool): void {
    const staying = this.#local
      .list(claims, { labelSelector: `karpenter.sh/nodepool=${metadata.name}` })
      .filter((claim) => !isAbandoned(claim));
    const usage = sumResources(staying.map(({ status }) => ({ ...resourcesOf(status?.capacity), nodes: 1 })));
    for (const [resource, limit] of Object.entries(resourcesOf(spec.limits))) {
      const used = usage[resource] ?? 0;
      if (used > limit) this.violations.add(`pool ${metadata.name} has ${used} of ${resource}, at most ${limit} are allowed`);
    }
  }
}
