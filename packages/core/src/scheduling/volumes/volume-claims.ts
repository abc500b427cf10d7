import { compareText } from '../../base/index.ts';
import type { ClusterSnapshot, StorageView } from '../../cluster/index.ts';
import type { ClaimedVolume, PersistentVolumeClaim, Pod } from '../../kube/index.ts';
import type { Steps } from '../../base/index.ts';
import { claimedVolumesOf, namespacedNameOf } from '../../kube/index.ts';

const DEFAULT = 'storageclass.kubernetes.io/is-default-class';

/**
 * The name of the class that a claim without volume asks for: where it names none, the cluster's default, the newest if
 * there are several. Undefined: there is none, or an empty text says that none is meant.
 */
export const classNameOf = ({ spec }: PersistentVolumeClaim, { classes }: StorageView): string | undefined => {
  if (spec?.storageClassName !== undefined) return spec.storageClassName === '' ? undefined : spec.storageClassName;
  const defaults = [...classes.values()].map(({ metadata }) => metadata).filter(({ annotations }) => annotations?.[DEFAULT] === 'true');
  return defaults.sort((a, b) => compareText(b.creationTimestamp ?? '', a.creationTimestamp ?? '') || compareText(a.name, b.name))[0]?.name;
};

/**
 * The claim behind a volume of a pod; of an ephemeral one as the pod's own template says, until its controller has made it.
 */
export const claimOf = ({ volume: { ephemeral }, claim }: ClaimedVolume, { claims }: StorageView): PersistentVolumeClaim | undefined => {
  const found = claims.get(claim);
  if (found !== undefined || ephemeral === undefined) return found;
  return { metadata: { name: claim.slice(claim.indexOf('/') + 1) }, spec: ephemeral.volumeClaimTemplate?.spec ?? {} };
};

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

/** Reads the pods of a snapshot once. */
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

const NONE: readonly string[] = [];

/**
 * Pod → those of its claims, as `namespace/name` in order, that have no volume yet and that other pods use as well. The
 * volume will be created in the zone of the first of these pods to be bound, and the others have to follow. Source:
 * Kubernetes, plugin `VolumeBinding`: the others wait until it is made. How many nodes may mount it does not matter:
 * kube-scheduler asks that of `ReadWriteOncePod` alone. Differs: the original places each of them on its own.
 */
export const unboundClaimsReader =
  ({ claims }: StorageView, users: ClaimUsers): ((pod: Pod) => readonly string[]) =>
  (pod) => {
    if (pod.spec.volumes === undefined) return NONE;
    const isUnbound = (claim: string): boolean =>
      users.isShared(claim) && claims.has(claim) && (claims.get(claim)?.spec?.volumeName ?? '') === '';
    const unbound = claimedVolumesOf(pod)
      .map(({ claim }) => claim)
      .filter(isUnbound);
    return unbound.length === 0 ? NONE : [...new Set(unbound)].sort();
  };
