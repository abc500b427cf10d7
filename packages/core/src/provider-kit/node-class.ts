import { requeueAfter, settled, watchOf } from '@karpenter/runtime';
import type { Controller, KubeClient, RecordedEvent } from '@karpenter/runtime';
import { inOrderOfNames } from '../base/index.ts';
import { nodeClaimConditions } from '../apis/index.ts';
import type { NodeClaim } from '../apis/index.ts';
import type { NodeClassKind } from '../cloudprovider/index.ts';
import { conditionOf, isConditionTrue, withCondition } from '../kube/index.ts';
import type { Condition, ObjectMeta } from '../kube/index.ts';
import type { Clock, EventRecording } from '../ports/index.ts';

/** As much of a NodeClass as is the same for all clouds. */
export interface NodeClass {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: object;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

/** Whether the claim names this class. */
export const isOfClass = (
  { spec: { nodeClassRef } }: NodeClaim,
  { metadata }: Pick<NodeClass, 'metadata'>,
  { group, kind }: Pick<NodeClassKind, 'group' | 'kind'>,
): boolean => nodeClassRef.group === group && nodeClassRef.kind === kind && nodeClassRef.name === metadata.name;

/** What the controllers of a NodeClass do with the cluster's API. */
export type ClassKube = Pick<KubeClient, 'list' | 'patch' | 'patchStatus'>;

const isZero = (value: unknown): boolean =>
  value === undefined || value === null || value === false || value === 0 || value === '' || value === '[]' || value === '{}';

/** One text for values that mean the same: keys in order, lists as sets, zero values left out. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).sort().join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .map(([key, member]): [string, unknown] => [key, typeof member === 'object' ? canonical(member) : member])
      .filter(([, member]) => !isZero(member))
      .map(([key, member]) => `${JSON.stringify(key)}:${typeof member === 'string' ? member : JSON.stringify(member)}`);
    return `{${members.sort().join(',')}}`;
  }
  return JSON.stringify(value);
};

const fnv64 = (text: string): bigint => {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash;
};

/**
 * Decimal text of a 64-bit hash over what machines are made by: a class's spec, without what is changed in place. The
 * same for specs that mean the same: the order of members and of lists, and members that say nothing, make no
 * difference.
 */
export const specHashOf = (spec: object): string => fnv64(canonical(spec)).toString();

type Tags = Readonly<Record<string, string>>;

/** Tags of a machine and what belongs to it: the cluster's, over them its class's, over them the provider's own marks. */
export interface TagLayers {
  readonly cluster: Tags;
  readonly nodeClass: Tags;
  readonly own: Tags;
}

/**
 * The tags of the cluster, the class and the provider in one set. `legalKey` gives a key in the cloud's alphabet; of keys that become one, the upper layer's value counts.
 */
export const layeredTags = ({ cluster, nodeClass, own }: TagLayers, legalKey: (key: string) => string = (key) => key): Tags =>
  Object.fromEntries([cluster, nodeClass, own].flatMap(Object.entries<string>).map(([key, value]) => [legalKey(key), value]));

/** How classes of one kind are hashed, and where it is written. */
export interface ClassHash<C extends NodeClass> {
  readonly of: (nodeClass: C) => string;
  /** Of the way of hashing: a hash of another version says nothing. */
  readonly version: string;
  readonly annotations: { readonly hash: string; readonly version: string };
}

/**
 * Whether a claim's machine was made by another class than there is now; not where hashes are missing or were made in
 * another way.
 */
export const hasClassHashDrifted = (
  claim: Pick<NodeClaim, 'metadata'>,
  nodeClass: Pick<NodeClass, 'metadata'>,
  { annotations: { hash, version } }: Pick<ClassHash<NodeClass>, 'annotations'>,
): boolean => {
  const [is, of] = [claim.metadata.annotations ?? {}, nodeClass.metadata.annotations ?? {}];
  const areKnown = [is[hash], of[hash], is[version], of[version]].every((text) => text !== undefined);
  return areKnown && is[version] === of[version] && is[hash] !== of[hash];
};

export interface ClassHashing<C extends NodeClass> {
  readonly kind: Pick<NodeClassKind, 'group' | 'kind'>;
  readonly hash: ClassHash<C>;
  readonly kube: Pick<ClassKube, 'list' | 'patch'>;
}

/**
 * Stamps classes with the hash of the fields that machines are made by. Updates claims when the hash version changes;
 * a drifted claim stays drifted.
 */
export const nodeClassHashing = <C extends NodeClass>({ kind, hash, kube }: ClassHashing<C>): Controller<C> => {
  const { hash: hashKey, version: versionKey } = hash.annotations;
  const restamped = (claim: NodeClaim, text: string): Readonly<Record<string, string>> => ({
    [versionKey]: hash.version,
    ...(!isConditionTrue(claim.status?.conditions, nodeClaimConditions.drifted) && { [hashKey]: text }),
  });
  return {
    name: 'nodeclass.hash',
    kind: kind.kind,
    concurrency: 10,
    async reconcile(nodeClass, { signal }) {
      const stamped = nodeClass.metadata.annotations ?? {};
      const text = hash.of(nodeClass);
      if (stamped[versionKey] !== hash.version && stamped[versionKey] !== undefined) {
        const { items } = await kube.list<NodeClaim>('NodeClaim', { signal });
        for (const claim of items.filter((item) => isOfClass(item, nodeClass, kind))) {
          const body = { metadata: { annotations: restamped(claim, text) } };
          await kube.patch('NodeClaim', { name: claim.metadata.name }, { type: 'merge', body, signal });
        }
      }
      if (stamped[hashKey] !== text || stamped[versionKey] !== hash.version) {
        const body = { metadata: { annotations: { [hashKey]: text, [versionKey]: hash.version } } };
        await kube.patch(kind.kind, { name: nodeClass.metadata.name }, { type: 'merge', body, signal });
      }
      return settled;
    },
  };
};

/** What was found about one part of a class. */
export type Verdict = Pick<Condition, 'type' | 'status'> & { readonly reason?: string; readonly message?: string };

/** What a reconcile of a class gave. */
export interface ClassJudgement {
  readonly verdicts: readonly Verdict[];
  /** The conditions that must all be True for the class to be Ready. */
  readonly parts: readonly string[];
  /** Of the class as it was checked. */
  readonly generation: number;
  readonly nowMs: number;
}

const READY = 'Ready';

/** Ready is True when all parts are; else it says what the first part that is not says. */
const readyOf = (conditions: readonly Condition[], parts: readonly string[]): Verdict => {
  const found = parts.map(
    (type) => conditionOf(conditions, type) ?? { type, status: 'Unknown' as const, reason: 'AwaitingReconciliation' },
  );
  const worst = found.find(({ status }) => status === 'False') ?? found.find(({ status }) => status === 'Unknown');
  if (worst === undefined) return { type: READY, status: 'True', reason: READY };
  return {
    type: READY,
    status: worst.status,
    reason: worst.reason ?? worst.type,
    message: `${worst.type}=${worst.status}${worst.message ? `, ${worst.message}` : ''}`,
  };
};

/** The conditions of a class after some were judged, Ready among them. Untouched where they say the same as before. */
const judgedConditions = (
  conditions: readonly Condition[] | undefined,
  { verdicts, parts, generation, nowMs }: ClassJudgement,
): readonly Condition[] => {
  const put = (all: readonly Condition[], { type, status, reason, message }: Verdict): readonly Condition[] =>
    withCondition(all, { type, status, reason: reason ?? type, message: message ?? '', observedGeneration: generation }, nowMs);
  const judged = verdicts.reduce(put, conditions ?? []);
  return put(judged, readyOf(judged, parts));
};

/** What a class comes to in its cloud: what was found about its parts, and the members of its status beside the conditions. */
export interface ResolvedClass {
  readonly verdicts: readonly Verdict[];
  readonly status: object;
}

export interface ClassStatusKeeping<C extends NodeClass> {
  readonly kind: Pick<NodeClassKind, 'kind'>;
  /** Holds on to the class until `nodeClassTermination` lets it go. */
  readonly finalizer: string;
  readonly parts: readonly string[];
  readonly resolve: (nodeClass: C, signal: AbortSignal) => Promise<ResolvedClass>;
  /** How long a class that is Ready is good; one that is not is checked three times as often. */
  readonly recheckMs: number;
  readonly kube: Pick<ClassKube, 'patch' | 'patchStatus'>;
  readonly clock: Clock;
}

const isSame = (a: object | undefined, b: object): boolean =>
  JSON.stringify(inOrderOfNames({ ...a })) === JSON.stringify(inOrderOfNames({ ...b }));

/**
 * Resolves what a class asks for into its status; Ready when all of its parts are. Puts a finalizer on the class first.
 * Writes only what differs, in any order of members. What `resolve` throws leaves the status, and is tried again with
 * backoff: return a `Verdict` for what a person has to mend.
 */
export const nodeClassStatusKeeping = <C extends NodeClass>(keeping: ClassStatusKeeping<C>): Controller<C> => {
  const { kind, finalizer, parts, kube, clock, recheckMs } = keeping;
  const hold = async ({ metadata: { name, resourceVersion, finalizers = [] } }: C, signal: AbortSignal): Promise<void> => {
    if (finalizers.includes(finalizer)) return;
    const metadata = { ...(resourceVersion !== undefined && { resourceVersion }), finalizers: [...finalizers, finalizer] };
    await kube.patch(kind.kind, { name }, { type: 'merge', body: { metadata }, signal });
  };
  return {
    name: 'nodeclass.status',
    kind: kind.kind,
    concurrency: 10,
    async reconcile(nodeClass, { signal }) {
      const { name, deletionTimestamp, generation = 0 } = nodeClass.metadata;
      if (deletionTimestamp !== undefined) return settled;
      await hold(nodeClass, signal);
      const { verdicts, status } = await keeping.resolve(nodeClass, signal);
      const conditions = judgedConditions(nodeClass.status?.conditions, { verdicts, parts, generation, nowMs: clock.now() });
      const resolved = { ...status, conditions };
      if (!isSame(nodeClass.status, resolved))
        await kube.patchStatus(kind.kind, { name }, { type: 'merge', body: { status: resolved }, signal });
      return requeueAfter(isConditionTrue(conditions, 'Ready') ? recheckMs : recheckMs / 3);
    },
  };
};

const RECHECK_MS = 600_000;
const MOST_NAMED = 5;

export interface ClassTermination {
  readonly kind: Pick<NodeClassKind, 'group' | 'kind'>;
  readonly finalizer: string;
  readonly kube: Pick<ClassKube, 'list' | 'patch'>;
  /** Called with what a class waits for. */
  readonly events?: EventRecording;
}

const waitingFor = ({ apiVersion, kind, metadata: { name, uid } }: NodeClass, claims: readonly NodeClaim[]): RecordedEvent => {
  const names = claims.map(({ metadata }) => metadata.name).sort();
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return {
    subject: { apiVersion, kind, name, ...(uid !== undefined && { uid }) },
    type: 'Normal',
    reason: 'WaitingOnNodeClaimTermination',
    message: `Waiting on NodeClaim termination for ${names.slice(0, MOST_NAMED).join(', ')}${more}`,
  };
};

/**
 * Lets a class that is being deleted go once no NodeClaim uses it. `nodeClassStatusKeeping` holds on to it until then.
 * Lists the NodeClaims when the class or one of its claims changes, and every ten minutes.
 */
export const nodeClassTermination = <C extends NodeClass>({ kind, finalizer, kube, events }: ClassTermination): Controller<C> => {
  const uses = ({ spec: { nodeClassRef } }: NodeClaim): boolean => nodeClassRef.group === kind.group && nodeClassRef.kind === kind.kind;
  return {
    name: 'nodeclass.termination',
    kind: kind.kind,
    concurrency: 10,
    watches: [watchOf<NodeClaim>('NodeClaim', ({ object }) => (uses(object) ? [{ name: object.spec.nodeClassRef.name }] : []))],
    async reconcile(nodeClass, { signal }) {
      const { name, resourceVersion, deletionTimestamp, finalizers = [] } = nodeClass.metadata;
      if (deletionTimestamp === undefined || !finalizers.includes(finalizer)) return settled;
      const { items } = await kube.list<NodeClaim>('NodeClaim', { signal });
      const users = items.filter((claim) => uses(claim) && claim.spec.nodeClassRef.name === name);
      if (users.length > 0) {
        events?.record(waitingFor(nodeClass, users));
        return requeueAfter(RECHECK_MS);
      }
      const metadata = {
        ...(resourceVersion !== undefined && { resourceVersion }),
        finalizers: finalizers.filter((each) => each !== finalizer),
      };
      await kube.patch(kind.kind, { name }, { type: 'merge', body: { metadata }, signal });
      return settled;
    },
  };
};
