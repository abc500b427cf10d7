import { isSameTaint } from '../machines/node-view-of.ts';
import type { Taint } from '../../kube/index.ts';
import type { Clock } from '../../ports/index.ts';

/** How long taints are expected after the first node that nobody could use, and after each one more. */
const EXPECTED_MS = [5, 15].map((minutes) => minutes * 60_000);

/** The taints of a new node that registration hooks added. */
export interface OpenedNode {
  readonly added: readonly Taint[];
  /** Those of them that keep away a pod that the node was launched for. */
  readonly refusing: readonly Taint[];
}

interface Expected {
  readonly taints: readonly Taint[];
  /** How often they were learned in a row. */
  readonly times: number;
  /** Epoch ms. */
  readonly untilMs: number;
}

const isAmong = (taints: readonly Taint[], taint: Taint): boolean => taints.some((each) => isSameTaint(each, taint));

/**
 * Taints that registration hooks put on nodes of a pool, and that kept away the pods the nodes were launched for. Planning
 * expects them on the next nodes of the pool, so that those pods do not get node after node. A hook may answer otherwise
 * for the next node: the expectation ends with a node that lacks the taint, and after a while.
 */
export class HookTaints {
  readonly #clock: Clock;
  readonly #pools = new Map<string, Expected>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A new node of the pool is open for pods. */
  opened(nodePoolName: string, { added, refusing }: OpenedNode): void {
    const before = this.#pools.get(nodePoolName);
    if (refusing.length === 0) {
      if (before?.taints.some((taint) => !isAmong(added, taint)) === true) this.forget(nodePoolName);
      return;
    }
    const known = this.of(nodePoolName);
    const fresh = refusing.filter((taint) => !isAmong(known, taint));
    if (fresh.length === 0) return;
    const times = (before?.times ?? 0) + 1;
    const lastsMs = EXPECTED_MS[Math.min(times, EXPECTED_MS.length) - 1] ?? 0;
    this.#pools.set(nodePoolName, { taints: [...known, ...fresh], times, untilMs: this.#clock.now() + lastsMs });
  }

  /** The taints to expect on new nodes of the pool. */
  of(nodePoolName: string): readonly Taint[] {
    const { taints = [], untilMs = 0 } = this.#pools.get(nodePoolName) ?? {};
    return untilMs > this.#clock.now() ? taints : [];
  }

  /** The pool or its NodeClass was changed. */
  forget(nodePoolName: string): void {
    this.#pools.delete(nodePoolName);
  }
}
