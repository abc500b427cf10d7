import { isFailure } from '@karpenter/runtime';
import type { ObjectMeta } from '../kube/index.ts';
import type { DecisionReporter } from '../ports/index.ts';

/**
 * Called with each bug that is contained outside of the loops of controllers; `where` names the place for a metric. Must
 * not throw.
 */
export type BugSink = (error: unknown, where: string) => void;

interface Guarded {
  readonly metadata: Pick<ObjectMeta, 'name' | 'namespace' | 'uid'>;
}

/** The kinds of objects that a guard names, with their `apiVersion`. */
const API_VERSIONS = {
  CapacityBuffer: 'autoscaling.x-k8s.io/v1beta1',
  Node: 'v1',
  NodeClaim: 'karpenter.sh/v1',
  NodeOverlay: 'karpenter.sh/v1alpha1',
  NodePool: 'karpenter.sh/v1',
  Pod: 'v1',
  PodGroup: 'scheduling.x-k8s.io/v1alpha1',
  RebalancePlan: 'karpenter.sh/v1alpha1',
  ResourceSlice: 'resource.k8s.io/v1',
} as const;
type GuardedKind = keyof typeof API_VERSIONS;

/** One object, and until when it is worked on. */
interface GuardedWork {
  readonly kind: GuardedKind;
  readonly object: Guarded;
  readonly signal: AbortSignal;
}

interface ObjectGuardDeps {
  readonly reporter: DecisionReporter;
  readonly onBug?: BugSink | undefined;
}

/** The label of bugs that objects trigger outside of plans. */
const WHERE = 'state';

/**
 * For code that goes through all objects of a kind and whose caller has no plan to make without one of them. An object
 * that triggers a bug is left out, an event names it, and the bug is counted; the others are served. It is tried again
 * each time.
 */
export class ObjectGuard {
  readonly #deps: ObjectGuardDeps;

  constructor(deps: ObjectGuardDeps) {
    this.#deps = deps;
  }

  /** What `make` makes of the objects, in order; nothing of those that trigger a bug. */
  each<T extends Guarded, R>(kind: GuardedKind, objects: readonly T[], make: (object: T) => readonly R[]): readonly R[] {
    return objects.flatMap((object) => {
      try {
        return make(object);
      } catch (error) {
        this.leaveOut(kind, object, error);
        return [];
      }
    });
  }

  /** Those of the objects for which `isMeant` is true; none of those that trigger a bug. */
  filter<T extends Guarded>(kind: GuardedKind, objects: readonly T[], isMeant: (object: T) => boolean): readonly T[] {
    return this.each(kind, objects, (object) => (isMeant(object) ? [object] : []));
  }

  /** Works on one object; undefined where it triggers a bug. Errors: failures. */
  async work<R>({ kind, object, signal }: GuardedWork, work: () => Promise<R>): Promise<R | undefined> {
    try {
      return await work();
    } catch (error) {
      if (signal.aborted || isFailure(error)) throw error;
      this.leaveOut(kind, object, error);
      return undefined;
    }
  }

  /** Counts a bug that the object triggers, and names it. */
  leaveOut(kind: GuardedKind, { metadata: { name, namespace, uid } }: Guarded, error: unknown): void {
    const { reporter, onBug } = this.#deps;
    const subject = {
      ...{ apiVersion: API_VERSIONS[kind], kind, name },
      ...(namespace !== undefined && { namespace }),
      ...(uid !== undefined && { uid }),
    };
    onBug?.(error, WHERE);
    reporter.report({ kind: 'quarantined', subjects: [subject], error });
  }
}
