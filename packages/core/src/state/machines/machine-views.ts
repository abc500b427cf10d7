import { isActive, isReschedulable } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';
import type { NodeView } from '../../cluster/index.ts';
import type { Exchanges } from '../commands.ts';
import { PoolUsage, leavingExcess } from '../pools/pool-usage.ts';
import type { Share } from '../pools/pool-usage.ts';
import type { MachineIndex, MachineKey } from './machine-index.ts';
import { largestCapacity, nodeViewOf } from './node-view-of.ts';
import { overbookedPods } from '../pods/nominations.ts';
import type { Nominations } from '../pods/nominations.ts';
import { podId } from '../pods/pod-transitions.ts';
import type { PodIndex } from '../pods/pod-transitions.ts';
import type { PoolCatalogs } from '../pools/pool-catalogs.ts';

export interface MachineViewsParts {
  readonly machines: MachineIndex;
  readonly pods: PodIndex;
  readonly nominations: Nominations;
  /** Machines marked for deletion. */
  readonly marked: ReadonlySet<MachineKey>;
  readonly exchanges: Pick<Exchanges, 'isLeaving' | 'entries'>;
  readonly catalogs: PoolCatalogs;
  readonly nominationMs: number;
  /** Node name → what its volume drivers attach at most. */
  readonly volumeLimitsOf: (nodeName: string) => NodeView['volumeLimits'];
  /** Whether a DeviceClass stands for an extended resource. */
  readonly isOfDevices: (resource: string) => boolean;
  /** The pod's nomination ended because others have its room by now. */
  readonly onOverbooked: (pod: Pod) => void;
  /** Node and claim of the machine cannot be put together. */
  readonly onUnreadable: (machine: MachineKey, error: unknown) => void;
}

/** The views of all machines, rebuilt one by one as they change. */
export class MachineViews {
  readonly usage = new PoolUsage();
  readonly #parts: MachineViewsParts;
  readonly #views = new Map<MachineKey, NodeView>();
  /** Machines on their way out. Their pods depend on nominations elsewhere, so they are rebuilt each time. */
  readonly #going = new Set<MachineKey>();
  /** What machines on their way out have: it counts again if their exchange is called off. */
  readonly #mayStay = new Map<MachineKey, Share>();
  /** Names under which `usage` counts what running exchanges reserve. */
  #held: ReadonlySet<string> = new Set();
  #list: readonly NodeView[] = [];
  /** Machines whose view could not be made. */
  readonly #unreadable = new Set<MachineKey>();

  constructor(parts: MachineViewsParts) {
    this.#parts = parts;
  }

  /** Every machine as it stands. The same array, and the same views in it, for what did not change. */
  refresh(nowMs: number): readonly NodeView[] {
    const { machines, nominations } = this.#parts;
    for (const machine of nominations.expire(nowMs)) machines.touch(machine);
    for (const machine of nominations.machines()) machines.touch(machine);
    for (const machine of this.#going) machines.touch(machine);
    const changed = machines.takeChanged();
    if (changed.size === 0) return this.#list;
    for (const machine of changed) this.#rebuildSafely(machine, nowMs);
    this.#endOverbooked(changed, nowMs);
    this.#list = [...this.#views.values()];
    this.#holdBack();
    return this.#list;
  }

  /**
   * Ends nominations for which an initialized machine has no room any more. Their pods show up again on the machines
   * that they are to leave.
   */
  #endOverbooked(changed: ReadonlySet<MachineKey>, nowMs: number): void {
    const { nominations, onOverbooked } = this.#parts;
    const ended: Pod[] = [];
    for (const machine of changed) {
      const overbooked = this.#unreadable.has(machine) ? [] : this.#overbookedSafely(machine);
      for (const pod of overbooked) nominations.release(podId(pod));
      if (overbooked.length > 0) this.#rebuildSafely(machine, nowMs);
      for (const pod of overbooked) ended.push(pod);
    }
    if (ended.length === 0) return;
    for (const machine of [...this.#going]) this.#rebuildSafely(machine, nowMs);
    for (const pod of ended) onOverbooked(pod);
  }

  #overbookedSafely(machine: MachineKey): readonly Pod[] {
    try {
      return this.#overbookedOn(machine);
    } catch (error) {
      this.#leaveOut(machine, error);
      return [];
    }
  }

  #overbookedOn(machine: MachineKey): readonly Pod[] {
    const view = this.#views.get(machine);
    if (view?.isInitialized !== true) return [];
    const nominated = this.#parts.nominations.podsFor(machine);
    const coming = view.pods.filter((pod) => nominated.has(podId(pod)));
    const bound = view.pods.filter((pod) => !nominated.has(podId(pod)));
    const { isOfDevices } = this.#parts;
    return overbookedPods({ allocatable: view.allocatable, bound, coming, isOfDevices });
  }

  /**
   * Rebuilds the view of a machine. If that throws, the machine has no view until it changes: no pod is placed there,
   * and nobody takes it. It counts against limits as it did before.
   */
  #rebuildSafely(machine: MachineKey, nowMs: number): void {
    this.#unreadable.delete(machine);
    try {
      this.#rebuild(machine, nowMs);
    } catch (error) {
      this.#leaveOut(machine, error);
    }
  }

  #leaveOut(machine: MachineKey, error: unknown): void {
    this.#unreadable.add(machine);
    this.#views.delete(machine);
    this.#going.delete(machine);
    this.#parts.onUnreadable(machine, error);
  }

  #rebuild(machine: MachineKey, nowMs: number): void {
    const { machines, nominations, marked, exchanges, nominationMs } = this.#parts;
    const facts = machines.lookup(machine);
    this.#mayStay.delete(machine);
    if (facts === undefined) {
      this.#forget(machine);
      return;
    }
    const alone = nodeViewOf({ ...facts, pods: [], isMarked: marked.has(machine) });
    const bare = exchanges.isLeaving(machine) ? { ...alone, isMarkedForDeletion: true } : alone;
    const share = this.#shareOf(alone);
    if (bare.isMarkedForDeletion) {
      if (share !== undefined) this.#mayStay.set(machine, share);
      nominations.releaseAll(machine);
      this.#going.add(machine);
    } else this.#going.delete(machine);
    if (bare.isInitialized) nominations.startExpiry(machine, nowMs + nominationMs);
    this.#views.set(machine, this.#withPods(bare, machine));
    this.usage.set(machine, bare.isMarkedForDeletion ? undefined : share);
  }

  /** The machine is gone. */
  #forget(machine: MachineKey): void {
    this.#views.delete(machine);
    this.#unreadable.delete(machine);
    this.#going.delete(machine);
    this.usage.set(machine, undefined);
    this.#parts.nominations.releaseAll(machine);
  }

  /** The view with its pods, and what else comes from outside of node and claim. */
  #withPods(bare: NodeView, machine: MachineKey): NodeView {
    const nominatedUntilMs = this.#parts.nominations.latestEnd(machine);
    const pods = this.#podsOf(bare, machine);
    const volumeLimits = this.#parts.volumeLimitsOf(bare.name);
    return {
      ...bare,
      pods,
      ...(nominatedUntilMs === undefined ? {} : { nominatedUntilMs }),
      ...(volumeLimits === undefined ? {} : { volumeLimits }),
    };
  }

  /** The pods bound here, less those nominated elsewhere if this machine goes, and the pods nominated for here. */
  #podsOf(view: NodeView, machine: MachineKey): readonly Pod[] {
    const { pods, nominations } = this.#parts;
    const bound = view.hasNode ? pods.onNode(view.name) : [];
    const staying = view.isMarkedForDeletion
      ? bound.filter((pod) => !isReschedulable(pod) || nominations.machineOf(podId(pod)) === undefined)
      : bound;
    const coming = [...nominations.podsFor(machine)].flatMap((id) => pods.get(id) ?? []).filter((pod) => this.#isComing(pod));
    return coming.length === 0 ? staying : [...staying, ...coming];
  }

  #isComing(pod: Pod): boolean {
    const { machines, marked, exchanges } = this.#parts;
    if (!isActive(pod)) return false;
    if (pod.spec.nodeName === undefined) return true;
    const from = machines.keyOfNode(pod.spec.nodeName);
    const facts = machines.lookup(from);
    const isMarked = marked.has(from) || exchanges.isLeaving(from);
    return facts !== undefined && nodeViewOf({ ...facts, pods: [], isMarked }).isMarkedForDeletion;
  }

  /** As long as an exchange may be called off, the larger of its two sides counts. */
  #holdBack(): void {
    const held = new Set<string>();
    for (const [id, { leaving, coming }] of this.#parts.exchanges.entries()) {
      const staying = [...leaving].flatMap((machine) => this.#mayStay.get(machine) ?? []);
      const added = [...coming].flatMap((machine) => this.usage.shareOf(machine) ?? []);
      for (const [nodePoolName, resources] of leavingExcess(staying, added)) {
        const name = `exchange/${id}/${nodePoolName}`;
        held.add(name);
        this.usage.set(name, { nodePoolName, resources });
      }
    }
    for (const name of this.#held) if (!held.has(name)) this.usage.set(name, undefined);
    this.#held = held;
  }

  #shareOf(view: NodeView): Share | undefined {
    const { nodePoolName, claim } = view;
    if (nodePoolName === undefined || claim === undefined || view.isMarkedForDeletion) return undefined;
    const isOpen = claim.status?.providerID === undefined;
    const resources = isOpen ? largestCapacity(claim, this.#parts.catalogs.of(nodePoolName)) : view.capacity;
    return { nodePoolName, resources: { ...resources, nodes: 1 } };
  }
}
