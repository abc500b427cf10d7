import { isActive, isReschedulable } from '../kube/index.ts';
import type { Pod, Resources } from '../kube/index.ts';
import type { NodeView } from '../cluster/index.ts';
import type { MachineIndex, MachineKey } from './machine-index.ts';
import { nodeViewOf } from './node-view-of.ts';
import { overbookedIn } from './overbooked.ts';
import { largestCapacity } from './planned-place.ts';
import type { PodIndex } from './pod-index.ts';
import { podId } from './pod-index.ts';
import type { PoolCatalogs } from './pool-catalogs.ts';
import { PoolUsage } from './pool-usage.ts';
import type { Reservations } from './reservations.ts';

export interface MachineViewsParts {
  readonly machines: MachineIndex;
  readonly pods: PodIndex;
  readonly promises: Reservations;
  readonly marked: ReadonlySet<MachineKey>;
  readonly catalogs: PoolCatalogs;
  readonly nominationMs: number;
  /** Node name → what its volume drivers attach at most. */
  readonly volumeLimitsOf: (nodeName: string) => NodeView['volumeLimits'];
  /** The pod was promised room that others have by now. */
  readonly onOverbooked: (pod: Pod) => void;
}

/** The views of all machines, rebuilt one by one as they change. */
export class MachineViews {
  readonly usage = new PoolUsage();
  readonly #parts: MachineViewsParts;
  readonly #views = new Map<MachineKey, NodeView>();
  /** Their pods depend on promises elsewhere, so they are built anew each time. */
  readonly #going = new Set<MachineKey>();
  #list: readonly NodeView[] = [];

  constructor(parts: MachineViewsParts) {
    this.#parts = parts;
  }

  /** Every machine as it stands. The same array, and the same views in it, for what did not change. */
  refresh(nowMs: number): readonly NodeView[] {
    const { machines, promises } = this.#parts;
    for (const machine of promises.expire(nowMs)) machines.touch(machine);
    for (const machine of promises.machines()) machines.touch(machine);
    for (const machine of this.#going) machines.touch(machine);
    const changed = machines.takeChanged();
    if (changed.size === 0) return this.#list;
    for (const machine of changed) this.#rebuild(machine, nowMs);
    this.#endOverbooked(changed, nowMs);
    this.#list = [...this.#views.values()];
    return this.#list;
  }

  /** Promises that a machine which is up cannot keep end at once. Where their pods run on machines that go, they are seen there again. */
  #endOverbooked(changed: ReadonlySet<MachineKey>, nowMs: number): void {
    const { promises, onOverbooked } = this.#parts;
    const ended: Pod[] = [];
    for (const machine of changed) {
      const overbooked = this.#overbookedOn(machine);
      for (const pod of overbooked) promises.release(podId(pod));
      if (overbooked.length > 0) this.#rebuild(machine, nowMs);
      ended.push(...overbooked);
    }
    if (ended.length === 0) return;
    for (const machine of this.#going) this.#rebuild(machine, nowMs);
    for (const pod of ended) onOverbooked(pod);
  }

  #overbookedOn(machine: MachineKey): readonly Pod[] {
    const view = this.#views.get(machine);
    if (view?.isInitialized !== true) return [];
    const promised = this.#parts.promises.podsFor(machine);
    const coming = view.pods.filter((pod) => promised.has(podId(pod)));
    const bound = view.pods.filter((pod) => !promised.has(podId(pod)));
    return overbookedIn({ allocatable: view.allocatable, bound, coming });
  }

  #rebuild(machine: MachineKey, nowMs: number): void {
    const { machines, promises, marked, nominationMs, volumeLimitsOf } = this.#parts;
    const facts = machines.lookup(machine);
    if (facts === undefined) {
      this.#views.delete(machine);
      this.#going.delete(machine);
      this.usage.set(machine, undefined);
      promises.releaseAll(machine);
      return;
    }
    const isMarked = marked.has(machine);
    const bare = nodeViewOf({ ...facts, pods: [], isMarked });
    if (bare.isMarkedForDeletion) {
      promises.releaseAll(machine);
      this.#going.add(machine);
    } else this.#going.delete(machine);
    if (bare.isInitialized) promises.startExpiry(machine, nowMs + nominationMs);
    const nominatedUntilMs = promises.latestEnd(machine);
    const pods = this.#podsOf(bare, machine);
    const volumeLimits = volumeLimitsOf(bare.name);
    const view: NodeView = {
      ...bare,
      pods,
      ...(nominatedUntilMs === undefined ? {} : { nominatedUntilMs }),
      ...(volumeLimits === undefined ? {} : { volumeLimits }),
    };
    this.#views.set(machine, view);
    this.usage.set(machine, this.#shareOf(view));
  }

  /** Bound pods, without those that were promised room elsewhere if this machine goes, and those that were promised room here. */
  #podsOf(view: NodeView, machine: MachineKey): readonly Pod[] {
    const { pods, promises } = this.#parts;
    const bound = view.hasNode ? pods.onNode(view.name) : [];
    const staying = view.isMarkedForDeletion
      ? bound.filter((pod) => !isReschedulable(pod) || promises.machineOf(podId(pod)) === undefined)
      : bound;
    const coming = [...promises.podsFor(machine)].flatMap((id) => pods.get(id) ?? []).filter((pod) => this.#isComing(pod));
    return coming.length === 0 ? staying : [...staying, ...coming];
  }

  #isComing(pod: Pod): boolean {
    const { machines, marked } = this.#parts;
    if (!isActive(pod)) return false;
    if (pod.spec.nodeName === undefined) return true;
    const from = machines.keyOfNode(pod.spec.nodeName);
    const facts = machines.lookup(from);
    return facts !== undefined && nodeViewOf({ ...facts, pods: [], isMarked: marked.has(from) }).isMarkedForDeletion;
  }

  #shareOf(view: NodeView): { readonly nodePoolName: string; readonly resources: Resources } | undefined {
    const { nodePoolName, claim } = view;
    if (nodePoolName === undefined || claim === undefined || view.isMarkedForDeletion) return undefined;
    const isOpen = claim.status?.providerID === undefined;
    const resources = isOpen ? largestCapacity(claim, this.#parts.catalogs.of(nodePoolName)) : view.capacity;
    return { nodePoolName, resources: { ...resources, nodes: 1 } };
  }
}
