import type { ApiObject, LocalApi, KindRef, LocalEvent } from '@karpenter/api-server';
import { parseKey } from '@karpenter/runtime';
import type { WorkloadStatus, WorkloadObject } from '../objects/workload.ts';
import { type ControlDeps, together } from '../control/control-deps.ts';
import { createWorkLoop, type RequeueAfterMs } from '../control/work-loop.ts';
import { isBeingDeleted, podKind } from '../objects/pod.ts';
import { objectKeyText } from '../objects/object-key.ts';

/** Writes a status if it says anything new. */
export const writeStatus = (api: LocalApi, object: ApiObject & { readonly status?: WorkloadStatus }, changes: WorkloadStatus): void => {
  const status = { ...object.status, ...changes };
  if (JSON.stringify(status) !== JSON.stringify(object.status)) api.updateStatus({ ...object, status });
};

/** Kind, and what is done about one object of it. */
export interface WorkloadReconciler<T extends WorkloadObject> {
  readonly kind: KindRef<T>;
  readonly reconcile: (object: T) => RequeueAfterMs;
  /** What it makes instead of pods. */
  readonly owns?: KindRef<WorkloadObject> | undefined;
}

/**
 * Reconciles an object whenever it, or something that it controls, changes. What is being deleted is left to the
 * garbage collector.
 */
export const startWorkloadLoop = <T extends WorkloadObject>(
  { api, clock }: ControlDeps,
  { kind, reconcile, owns }: WorkloadReconciler<T>,
): Disposable => {
  const loop = createWorkLoop(clock, (key) => {
    const object = api.get(kind, parseKey(key));
    return object === undefined || isBeingDeleted(object) ? undefined : reconcile(object);
  });
  const wakeOwner = ({ object }: LocalEvent<ApiObject>): void => {
    const owner = object.metadata.ownerReferences?.find((one) => one.controller);
    if (owner?.kind === kind.kind) loop.add(`${object.metadata.namespace ?? ''}/${owner.name}`);
  };
  const watches = [
    api.watch(kind, ({ type, object }) => {
      if (type !== 'DELETED') loop.add(objectKeyText(object));
    }),
    owns === undefined ? api.watch(podKind, wakeOwner) : api.watch(owns, wakeOwner),
  ];
  return together(...watches, loop);
};
