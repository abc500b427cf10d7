import { isActive, isReschedulable } from '../kube/index.ts';
import type { CSINode, DaemonSet, Node, Pod, PodDisruptionBudget, Resources } from '../kube/index.ts';
import type { NodeClaim, NodePool } from '../apis/index.ts';
import { isManaged } from '../cloudprovider/index.ts';
import type { CloudProvider } from '../cloudprovider/index.ts';
import { deviceClassFor, podGroupTable } from '../cluster/index.ts';
import type { ClusterLimits, ClusterSnapshot, LaunchBlock, NodePoolView, NodeView, PodSelector } from '../cluster/index.ts';
import type { Caches, Clock, DecisionReporter, FollowedCache } from '../ports/index.ts';
import { DeviceViews, StorageViews, follow, onAnyChange } from './cache-followers.ts';
import { BufferIndex } from './buffer-index.ts';
import { Exchanges, ReplacementBackoff } from './commands.ts';
import { ExpectedClaims } from './machines/expected-claims.ts';
import { LaunchBackoff, RegistrationHistory } from './pools/launch-backoff.ts';
import { keyOfClaim, MachineIndex } from './machines/machine-index.ts';
import type { MachineKey } from './machines/machine-index.ts';
import { MachineViews } from './machines/machine-views.ts';
import { Nominations, plannedPodsOf } from './pods/nominations.ts';
import { PoolCatalogs, isUsable } from './pools/pool-catalogs.ts';
import { PodIndex, PodTransitions, isUnschedulableAgain, podId } from './pods/pod-transitions.ts';
import type { PodTransition } from './pods/pod-transitions.ts';
import { isDeleting, isInitialized } from './machines/node-view-of.ts';
import { ObjectGuard } from './object-guard.ts';
import type { BugSink } from './object-guard.ts';

export interface ClusterStateOptions {
  readonly caches: Caches;
  readonly provider: CloudProvider;
  readonly clock: Clock;
  readonly reporter: DecisionReporter;
  /** How long a nomination lasts on a machine that is up: max(2 × longest batch, 10 s). */
  readonly nominationMs: number;
  /** What the machines of all pools may have together. Absent: no limit. */
  readonly clusterLimits?: Resources | undefined;
  readonly onBug?: BugSink | undefined;
}

/** The machine that a view shows: stable from claim to node. */
export const machineKeyOf = (view: NodeView): MachineKey =>
  view.claim === undefined ? `node/${view.name}` : keyOfClaim(view.claim.metadata.name);

/**
 * The live cluster: follows the caches, remembers what only this process knows (nominations of pods, machines marked
 * for deletion, exchanges), and gives frozen snapshots. Only what changed since the last snapshot is rebuilt.
 *
 * Guarantees: a write that `caches.x.waitFor` has seen is in the next snapshot, and so is a claim that is `expected`.
 * Differs: a claim that has not launched is a place for its pods. In the original it counts once it has a provider id,
 * and until all claims have one nothing is provisioned or disrupted.
 */
export class ClusterState {
  /** For what goes through all objects of a kind. */
  readonly guard: ObjectGuard;
  /** Pools whose launches keep failing. */
  readonly launches: LaunchBackoff;
  /** Whether pools' machines become nodes. */
  readonly registrations = new RegistrationHistory();
  /** What CapacityBuffers come to. */
  readonly buffers: BufferIndex;
  /** What this process has asked for and the cache does not show yet. */
  readonly expected: ExpectedClaims;
  /** Machines that commands are about to delete; see there. */
  readonly exchanges: Exchanges;
  /** Machines whose replacements failed. */
  readonly replacements: ReplacementBackoff;
  readonly #options: ClusterStateOptions;
  readonly #machines = new MachineIndex();
  readonly #pods = new PodIndex({ now: () => this.#options.clock.now() });
  readonly #nominations = new Nominations();
  readonly #marked = new Set<MachineKey>();
  readonly #catalogs: PoolCatalogs;
  readonly #views: MachineViews;
  readonly #transitions: PodTransitions;
  readonly #storage: StorageViews;
  /** What drivers publish and pods claim; undefined where ResourceClaims are ignored. */
  readonly devices: DeviceViews | undefined;
  #daemonSets: readonly DaemonSet[] | undefined;
  #budgets: readonly PodDisruptionBudget[] | undefined;
  #podSelectors: readonly PodSelector[] | undefined;
  #namespaces: ReadonlyMap<string, Readonly<Record<string, string>>> | undefined;

  constructor(options: ClusterStateOptions) {
    const { caches, clock } = options;
    this.#options = options;
    this.guard = new ObjectGuard(options);
    this.launches = new LaunchBackoff(clock);
    this.replacements = new ReplacementBackoff(clock);
    this.buffers = new BufferIndex(caches.capacityBuffers, this.guard);
    this.expected = new ExpectedClaims({
      clock,
      isThere: (name) => caches.nodeClaims.get({ name }) !== undefined,
      add: (claim) => {
        this.launches.asked(claim.metadata.name);
        this.#machines.setClaim(claim);
        this.#nominateFor(claim);
      },
      remove: (name) => this.#forgetClaim(name),
    });
    this.exchanges = new Exchanges({
      isStaying: (machine) => this.#isStaying(machine),
      touch: (machine) => this.#machines.touch(machine),
    });
    this.#catalogs = new PoolCatalogs(options.provider, options.reporter);
    this.#storage = new StorageViews(caches);
    this.devices = caches.devices && new DeviceViews(caches.devices, this.guard);
    this.#views = new MachineViews({
      machines: this.#machines,
      pods: this.#pods,
      nominations: this.#nominations,
      marked: this.#marked,
      exchanges: this.exchanges,
      catalogs: this.#catalogs,
      nominationMs: options.nominationMs,
      volumeLimitsOf: (nodeName) => this.#storage.limitsOf(nodeName),
      isOfDevices: (resource) => this.devices !== undefined && deviceClassFor(this.devices.view(), resource) !== undefined,
      onOverbooked: (pod) => this.#transitions.seeNominationEnd(pod),
      onUnreadable: (machine, error) => this.#leaveOutMachine(machine, error),
    });
    this.#transitions = new PodTransitions({
      clock,
      hasSynced: () => caches.pods.hasSynced(),
      hasNode: (name) => this.#machines.node(name) !== undefined,
      onBug: (pod, error) => this.guard.leaveOut('Pod', pod, error),
    });
    this.#followMachines();
    follow(caches.pods, { set: (pod, previous) => this.#setPod(pod, previous), delete: (pod) => this.#deletePod(pod) });
    onAnyChange(caches.daemonSets, () => (this.#daemonSets = undefined));
    onAnyChange(caches.podDisruptionBudgets, () => (this.#budgets = undefined));
    for (const cache of caches.podSelectors ?? []) onAnyChange(cache, () => (this.#podSelectors = undefined));
    onAnyChange(caches.namespaces, () => (this.#namespaces = undefined));
  }

  /** Whether every cache has read its first list. One claim that does not launch, or one buffer, holds nobody up. */
  hasSynced(): boolean {
    const { nodeClasses, podSelectors = [], devices = {}, volumeAttachments: _, ...followed } = this.#options.caches;
    const single = Object.values<FollowedCache<unknown>>(followed);
    const caches: readonly FollowedCache<unknown>[] = [
      ...single,
      ...Object.values<FollowedCache<unknown>>(devices),
      ...podSelectors,
      ...nodeClasses.values(),
    ];
    return caches.every((cache) => cache.hasSynced());
  }

  /** Asks the provider what it offers; cheap while it answers from its cache. Belongs before `snapshot`. */
  async refreshCatalogs(signal: AbortSignal): Promise<void> {
    const { caches, provider } = this.#options;
    const managed = this.guard.filter('NodePool', caches.nodePools.list(), ({ spec }) =>
      isManaged(spec.template.spec.nodeClassRef, provider),
    );
    await this.#catalogs.refresh(managed, signal);
  }

  snapshot(nowMs: number): ClusterSnapshot {
    const nodes = this.#views.refresh(nowMs);
    const { podSelectors } = this.#options.caches;
    const buffers = this.buffers.views(nowMs);
    const clusterLimits = this.#clusterLimits();
    return {
      ...this.#pools(),
      nodes,
      ...(clusterLimits && { clusterLimits }),
      pendingPods: this.waitingPods(),
      daemonSets: (this.#daemonSets ??= this.#options.caches.daemonSets.list()),
      podDisruptionBudgets: (this.#budgets ??= this.#options.caches.podDisruptionBudgets.list()),
      namespaceLabels: (this.#namespaces ??= new Map(
        this.#options.caches.namespaces.list().map(({ metadata }) => [metadata.name, metadata.labels ?? {}]),
      )),
      storage: this.#storage.view(),
      ...(this.devices && { devices: this.devices.view() }),
      ...(buffers.length > 0 && { buffers }),
      ...this.#podGroups(),
      ...(podSelectors && { podSelectors: (this.#podSelectors ??= podSelectors.flatMap((cache) => cache.list())) }),
    };
  }

  /** Every machine as it stands: the `nodes` of a snapshot, without the rest of it. */
  views(nowMs: number): readonly NodeView[] {
    return this.#views.refresh(nowMs);
  }

  /**
   * Whether a pod of an earlier snapshot still wants the place that it lacked there: it is where it was, and was not
   * nominated since.
   */
  wantsPlace(pod: Pod): boolean {
    const id = podId(pod);
    const now = this.#pods.get(id);
    if (now === undefined || now.spec.nodeName !== pod.spec.nodeName || this.#nominations.machineOf(id) !== undefined) return false;
    return this.guard.filter('Pod', [now], isReschedulable).length > 0;
  }

  /** What the pool's machines have together now, those marked for deletion left out. */
  usageOf(nodePoolName: string): Resources {
    this.#views.refresh(this.#options.clock.now());
    return this.#views.usage.of(nodePoolName);
  }

  /** What the machines of all pools may have together, and have; undefined where there is no limit. */
  clusterLimits(): ClusterLimits | undefined {
    this.#views.refresh(this.#options.clock.now());
    return this.#clusterLimits();
  }

  /** Nodes that state the provider id: the one of the claim first, then the oldest. */
  nodesWith(providerId: string): readonly Node[] {
    return this.#machines.nodesWith(providerId);
  }

  /** The same of the claim's machine; none where it is another claim's. */
  nodesOf(claim: NodeClaim): readonly Node[] {
    return this.#machines.nodesOf(claim);
  }

  claimWith(providerId: string): NodeClaim | undefined {
    return this.#machines.claimWith(providerId);
  }

  claimOf(node: Node): NodeClaim | undefined {
    return this.#machines.claimOf(node);
  }

  claimNamed(name: string): NodeClaim | undefined {
    return this.#machines.claim(name);
  }

  claimOnNode(nodeName: string): NodeClaim | undefined {
    const node = this.#machines.node(nodeName);
    return node === undefined ? undefined : this.#machines.claimOf(node);
  }

  /** Pods bound to the node that have not run to their end. */
  podsOn(nodeName: string): readonly Pod[] {
    return this.#pods.onNode(nodeName);
  }

  /** When a pod last came to the node or went, as seen by this process or said by the pods that it found. */
  lastPodEventMs(nodeName: string): number | undefined {
    return this.#transitions.lastOn(nodeName);
  }

  /** Whether kube-scheduler has not yet tried each pod: some of those in its queue may need a new node too. */
  get hasQueuedPods(): boolean {
    return this.#pods.queued > 0;
  }

  /** Pods that wait for a node and are not nominated for any. */
  waitingPods(): readonly Pod[] {
    const pods: Pod[] = [];
    for (const [id, pod] of this.#pods.waiting()) if (this.#nominations.machineOf(id) === undefined) pods.push(pod);
    return pods;
  }

  /** Marks machines for deletion, for good: nothing is placed there, and their pods need a new place. */
  mark(machines: Iterable<MachineKey>): void {
    for (const machine of machines) {
      this.#marked.add(machine);
      this.#machines.touch(machine);
      this.exchanges.lose(machine);
    }
  }

  /**
   * Nominates pods for a machine: they are not planned again, and their room is not given away, while the nomination lasts.
   */
  nominate(view: NodeView, pods: readonly Pod[]): void {
    const untilMs = view.isInitialized ? this.#options.clock.now() + this.#options.nominationMs : undefined;
    for (const pod of pods) this.#nominations.nominate(podId(pod), machineKeyOf(view), untilMs);
    this.#machines.touch(machineKeyOf(view));
  }

  /** Pods without a node that are nominated for this one. */
  nominatedOn(nodeName: string): readonly Pod[] {
    const ids = this.#nominations.podsFor(this.#machines.keyOfNode(nodeName));
    return [...ids].flatMap((id) => this.#pods.get(id) ?? []).filter(({ spec }) => spec.nodeName === undefined);
  }

  isNominated(pod: Pod, nodeName: string): boolean {
    return this.#nominations.machineOf(podId(pod)) === this.#machines.keyOfNode(nodeName);
  }

  /** Ends the pod's nomination because it did not get the room: it is planned again. */
  withdrawNomination(pod: Pod): void {
    this.#release(pod);
    this.#transitions.seeNominationEnd(pod);
  }

  podWith(id: string): Pod | undefined {
    return this.#pods.get(id);
  }

  /**
   * Calls `listener` whenever a pod begins to wait for a node (again, when its nomination came to nothing), is bound,
   * or leaves. Returns how to stop.
   */
  onPodTransition(listener: (transition: PodTransition) => void): () => void {
    return this.#transitions.subscribe(listener);
  }

  #podGroups(): Pick<ClusterSnapshot, 'podGroups'> {
    // Others own the kind: their objects need not have the shape that is read.
    const readable = this.guard.filter(
      'PodGroup',
      this.#options.caches.podGroups?.list() ?? [],
      (group) => podGroupTable([group], []).size > 0,
    );
    const podGroups = podGroupTable(readable, [...this.#pods.succeededMembers.values()]);
    return podGroups.size === 0 ? {} : { podGroups };
  }

  #clusterLimits(): ClusterLimits | undefined {
    const { clusterLimits: limits } = this.#options;
    return limits && { limits, usage: this.#views.usage.total() };
  }

  #pools(): Pick<ClusterSnapshot, 'nodePools' | 'foreignPools'> {
    const { caches, provider } = this.#options;
    const foreignPools: string[] = [];
    const nodePools = this.guard.each('NodePool', caches.nodePools.list(), (pool) => {
      if (isManaged(pool.spec.template.spec.nodeClassRef, provider)) return [this.#poolView(pool)];
      foreignPools.push(pool.metadata.name);
      return [];
    });
    return { nodePools, ...(foreignPools.length > 0 && { foreignPools }) };
  }

  /** Whether a pool other than this one may launch nodes now, and had no trouble lately. */
  hasOpenPoolBeside(name: string): boolean {
    return this.#pools().nodePools.some(
      ({ nodePool, launchBlock, isAvoided }) => nodePool.metadata.name !== name && launchBlock === undefined && isAvoided !== true,
    );
  }

  #poolView(nodePool: NodePool): NodePoolView {
    const { name } = nodePool.metadata;
    const instanceTypes = this.#catalogs.of(name);
    const isAvoided = this.launches.isAvoided(name);
    const hookTaints = this.launches.hookTaints.of(name);
    const view = {
      ...{ nodePool, instanceTypes, usage: this.#views.usage.of(name) },
      ...(isAvoided && { isAvoided }),
      ...(hookTaints.length > 0 && { hookTaints }),
    };
    const launchBlock = this.#launchBlockOf(nodePool, instanceTypes.length);
    return launchBlock === undefined ? view : { ...view, mayLaunch: false, launchBlock };
  }

  #launchBlockOf(nodePool: NodePool, offered: number): LaunchBlock | undefined {
    if (nodePool.metadata.deletionTimestamp !== undefined) return 'deleting';
    if (nodePool.spec.replicas !== undefined) return 'static';
    if (!isUsable(nodePool)) return 'not-ready';
    if (offered === 0) return 'nothing-offered';
    return this.launches.isHeld(nodePool.metadata.name) ? 'launches-failing' : undefined;
  }

  #followMachines(): void {
    const { provider, caches } = this.#options;
    const { nodes, nodeClaims, csiNodes } = caches;
    follow(nodes, {
      set: (node) => this.#machines.setNode(node),
      delete: ({ metadata: { name } }) => {
        this.#machines.deleteNode(name);
        this.#transitions.forget(name);
      },
    });
    follow(nodeClaims, {
      set: (claim, previous) => {
        // Differs: another Karpenter in the cluster has claims of its own: their nodes are places for pods, and nothing more.
        if (!isManaged(claim.spec.nodeClassRef, provider)) return;
        this.#machines.setClaim(claim);
        if (isDeleting(claim)) this.exchanges.lose(keyOfClaim(claim.metadata.name));
        if (previous === undefined && !isInitialized(claim) && !this.expected.isExpected(claim.metadata.name)) this.#nominateFor(claim);
      },
      delete: ({ metadata: { name } }) => this.#forgetClaim(name),
    });
    const touchNode = ({ metadata: { name } }: CSINode): void => this.#machines.touchNode(name);
    follow(csiNodes, { set: touchNode, delete: touchNode });
  }

  /** Names the claim of a machine whose view cannot be made, or its node where it has no claim. */
  #leaveOutMachine(machine: MachineKey, error: unknown): void {
    const facts = this.#machines.lookup(machine);
    if (facts?.claim !== undefined) this.guard.leaveOut('NodeClaim', facts.claim, error);
    else this.guard.leaveOut('Node', facts?.node ?? { metadata: { name: machine } }, error);
  }

  #isStaying(machine: MachineKey): boolean {
    const claim = this.#machines.lookup(machine)?.claim;
    return claim !== undefined && !isDeleting(claim) && !this.#marked.has(machine);
  }

  /** Nominates the pods that the claim was made for. */
  #nominateFor(claim: NodeClaim): void {
    for (const id of plannedPodsOf(claim)) this.#nominations.nominate(id, keyOfClaim(claim.metadata.name));
  }

  #forgetClaim(name: string): void {
    this.launches.gone(name);
    this.replacements.forget(keyOfClaim(name));
    this.#machines.deleteClaim(name);
    this.exchanges.lose(keyOfClaim(name));
    this.#nominations.releaseAll(keyOfClaim(name));
    this.#marked.delete(keyOfClaim(name));
  }

  #setPod(pod: Pod, previous: Pod | undefined): void {
    const isBoundNow = pod.spec.nodeName !== undefined && previous?.spec.nodeName === undefined && previous !== undefined;
    if (!isActive(pod) || isBoundNow) this.#release(pod);
    this.#pods.set(pod);
    if (pod.spec.nodeName !== undefined) this.#machines.touchNode(pod.spec.nodeName);
    this.#transitions.see(pod, previous);
    if (previous !== undefined && isUnschedulableAgain(pod, previous) && this.#isNominatedForInitialized(pod)) this.withdrawNomination(pod);
  }

  #isNominatedForInitialized(pod: Pod): boolean {
    const machine = this.#nominations.machineOf(podId(pod));
    const facts = machine === undefined ? undefined : this.#machines.lookup(machine);
    return facts !== undefined && (facts.claim === undefined || isInitialized(facts.claim));
  }

  #deletePod(pod: Pod): void {
    this.#release(pod);
    this.#pods.delete(pod);
    if (pod.spec.nodeName !== undefined) this.#machines.touchNode(pod.spec.nodeName);
    this.#transitions.see(undefined, pod);
  }

  #release(pod: Pod): void {
    const machine = this.#nominations.machineOf(podId(pod));
    if (machine === undefined) return;
    this.#nominations.release(podId(pod));
    this.#machines.touch(machine);
  }
}
