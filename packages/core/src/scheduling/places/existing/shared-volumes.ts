import type { PodClass, SharedSlot } from '../../classes/pod-class.ts';

/** What one pod takes of a place: the numbers of its resources, and the amount of each. */
export type ResourceNeeds = Pick<PodClass, 'resourceIds' | 'amounts'>;

/**
 * What one more pod of the class takes: its amounts, and a slot for each shared volume that is not attached yet. Most
 * classes share none.
 */
export const needsOn = (podClass: PodClass, isAttached: (claim: string) => boolean): ResourceNeeds => {
  const missing = podClass.shared?.filter(({ claim }) => !isAttached(claim)) ?? [];
  if (missing.length === 0) return podClass;
  const amounts = new Map(Array.from(podClass.resourceIds, (resource, i): [number, number] => [resource, podClass.amounts[i] ?? 0]));
  for (const { resource } of missing) amounts.set(resource, (amounts.get(resource) ?? 0) + 1);
  return { resourceIds: Int32Array.from(amounts.keys()), amounts: Float64Array.from(amounts.values()) };
};

/** The volumes that pods of existing nodes share, node by node; looked up when a pod with shared volumes first asks. */
export class SharedVolumes {
  readonly #attachedTo: (node: number) => ReadonlySet<string>;
  /** Node → claim → how many pods hold it there; those of the snapshot count as one. */
  readonly #holders = new Map<number, Map<string, number>>();

  constructor(attachedTo: (node: number) => ReadonlySet<string>) {
    this.#attachedTo = attachedTo;
  }

  isAttached(node: number, claim: string): boolean {
    return (this.#on(node).get(claim) ?? 0) > 0;
  }

  /** So many pods come (or, below zero, go). Returns by how much the slots in use change: 1, 0 or -1. */
  add(node: number, { claim }: SharedSlot, pods: number): number {
    const holders = this.#on(node);
    const before = holders.get(claim) ?? 0;
    holders.set(claim, before + pods);
    return Number(before + pods > 0) - Number(before > 0);
  }

  #on(node: number): Map<string, number> {
    const known = this.#holders.get(node);
    if (known !== undefined) return known;
    const fresh = new Map(Array.from(this.#attachedTo(node), (claim): [string, number] => [claim, 1]));
    this.#holders.set(node, fresh);
    return fresh;
  }
}
