import { kubeTime } from '@karpenter/runtime';
import type { LocalDeleteOptions } from '../public/local-api.ts';
import type { Engine } from '../engine/engine.ts';
import { asRecord, type JsonObject, numberAt, textAt } from '../json/json.ts';
import type { Resource } from '../resources/resource.ts';
import { conflict } from '../status/refusals.ts';
import { asJson, type StoredObject } from '../store/stored-object.ts';
import { isFinished } from './update.ts';

/** What is left of an object after a delete: gone, or waiting for finalizers or grace. */
export interface Removal {
  readonly object: StoredObject;
  readonly gone: boolean;
}

const FINALIZER_OF_POLICY: Readonly<Record<string, string>> = { Foreground: 'foregroundDeletion', Orphan: 'orphan' };

/**
 * Deletes an object, or marks it and lets its finalizers and its grace period hold it. Throws an `ApiError` when a
 * precondition fails.
 */
export const removeObject = (
  engine: Engine,
  target: { readonly resource: Resource; readonly object: StoredObject },
  options: LocalDeleteOptions & { readonly dryRun?: boolean },
): Removal => {
  const { resource, object } = target;
  checkPreconditions(resource, object, options);
  const marked = mark(engine, target, options);
  const gone = isFinished(marked);
  if (options.dryRun === true) return { object: marked, gone };
  if (gone) {
    const last = engine.store.remove(resource.storage, object);
    return { object: resource.storage === 'pods' ? withVersionOf(marked, last) : last, gone };
  }
  return { object: marked === object ? object : engine.store.put(resource.storage, asJson(marked)), gone };
};

/** A pod is answered as it was marked, though nobody else saw the mark. */
const withVersionOf = (marked: StoredObject, { metadata: { resourceVersion } }: StoredObject): StoredObject => ({
  ...marked,
  metadata: { ...marked.metadata, resourceVersion },
});

/** Throws an `ApiError` (`Conflict`) when an object is not the one, or not the version, that a delete means. */
export const checkPreconditions = (resource: Resource, { metadata }: StoredObject, { preconditions }: LocalDeleteOptions): void => {
  const { uid, resourceVersion } = preconditions ?? {};
  const refuse = (why: string) => conflict({ ...resource, plural: resource.kind }, metadata.name, why);
  if (uid !== undefined && uid !== metadata.uid) {
    throw refuse(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw refuse(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
};

/** The object with its deletion mark, or itself when the mark does not change. */
const mark = (
  engine: Engine,
  { resource, object }: { readonly resource: Resource; readonly object: StoredObject },
  options: LocalDeleteOptions,
): StoredObject => {
  const { metadata } = object;
  const graceSeconds = resource.storage === 'pods' ? podGrace(object, options) : 0;
  const finalizers = finalizersFor(object, options);
  const isFirst = metadata.deletionTimestamp === undefined;
  const shorter = isFirst || graceSeconds < (metadata.deletionGracePeriodSeconds ?? 0);
  if (!shorter && finalizers === metadata.finalizers) return object;
  return {
    ...object,
    ...(resource.storage === 'namespaces' ? { status: { ...asRecord(object['status']), phase: 'Terminating' } satisfies JsonObject } : {}),
    metadata: {
      ...metadata,
      ...(finalizers === undefined ? {} : { finalizers }),
      ...(isFirst ? nextGeneration(object) : {}),
      ...(shorter ? deadline(engine, { resource, object }, graceSeconds) : {}),
    },
  };
};

const nextGeneration = ({ metadata: { generation } }: StoredObject) => (generation === undefined ? {} : { generation: generation + 1 });

/** When the object shall be gone: the grace counts from the first delete. */
const deadline = (
  engine: Engine,
  { resource, object }: { readonly resource: Resource; readonly object: StoredObject },
  graceSeconds: number,
) => {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = object.metadata;
  if (resource.storage === 'namespaces') return { deletionTimestamp: kubeTime(engine.nowMs) };
  const startMs = deletionTimestamp === undefined ? engine.nowMs : Date.parse(deletionTimestamp) - deletionGracePeriodSeconds * 1000;
  return { deletionTimestamp: kubeTime(startMs + graceSeconds * 1000), deletionGracePeriodSeconds: graceSeconds };
};

const podGrace = (pod: StoredObject, { gracePeriodSeconds }: LocalDeleteOptions): number => {
  const finished = ['Succeeded', 'Failed'].includes(textAt(pod, 'status.phase'));
  if (finished || textAt(pod, 'spec.nodeName') === '') return 0;
  return Math.max(0, gracePeriodSeconds ?? numberAt(pod, 'spec.terminationGracePeriodSeconds'));
};

const POLICY_FINALIZERS = Object.values(FINALIZER_OF_POLICY);

const finalizersFor = ({ metadata }: StoredObject, { propagationPolicy }: LocalDeleteOptions): readonly string[] | undefined => {
  if (propagationPolicy === undefined) return metadata.finalizers;
  const { finalizers = [] } = metadata;
  const wanted = FINALIZER_OF_POLICY[propagationPolicy];
  const present = finalizers.filter((one) => POLICY_FINALIZERS.includes(one));
  if (present.join(',') === (wanted ?? '')) return metadata.finalizers;
  const others = finalizers.filter((one) => !present.includes(one));
  return wanted === undefined ? others : [...others, wanted];
};
