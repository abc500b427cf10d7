import { compareText } from '../../base/index.ts';
import type { Steps } from '../../base/index.ts';
import type { ClusterSnapshot } from '../../cluster/index.ts';
import { claimedVolumesOf, namespacedNameOf } from '../../kube/index.ts';
import type { Pod } from '../../kube/index.ts';

const nameOf = ({ metadata }: Pod): string => namespacedNameOf(metadata);

const byAge = (a: Pod, b: Pod): number =>
  compareText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') || compareText(nameOf(a), nameOf(b));

/** Which pods of a snapshot use which claim: those on nodes first, then the pending ones by age. */
export class ClaimUsers {
  readonly #users: ReadonlyMap<string, readonly Pod[]>;

  constructor(users: ReadonlyMap<string, readonly Pod[]>) {
    this.#users = users;
  }

  isShared(claim: string): boolean {
    return (this.#users.get(claim)?.length ?? 0) > 1;
  }

  /** The pod that comes before this one in using the claim, as `namespace/name`; undefined when this one is the first. */
  holderBefore(pod: Pod, claim: string): string | undefined {
    const [first] = this.#users.get(claim) ?? [];
    return first === undefined || nameOf(first) === nameOf(pod) ? undefined : nameOf(first);
  }
}

/** Looks through the pods of a snapshot once. */
export function* readingClaimUsers({ nodes, pendingPods }: ClusterSnapshot): Steps<ClaimUsers> {
  const users = new Map<string, Pod[]>();
  const note = (pod: Pod): void => {
    for (const { claim } of claimedVolumesOf(pod)) {
      const known = users.get(claim);
      if (known === undefined) users.set(claim, [pod]);
      else if (known.at(-1) !== pod) known.push(pod);
    }
  };
  const running: Pod[] = [];
  for (const { pods } of nodes) {
    for (const pod of pods) if (pod.spec.volumes !== undefined) running.push(pod);
    yield;
  }
  for (const pod of running.sort(byAge)) note(pod);
  for (const pod of pendingPods.filter(({ spec }) => spec.volumes !== undefined).sort(byAge)) note(pod);
  return new ClaimUsers(users);
}
